import { Checkbox, Flex, NativeSelect, Stack, TextInput } from "@mantine/core";

import { ReferenceInput } from "@/components/records/form/reference-input";
import { useTypedText } from "@/components/ui/form/use-typed-text";
import { fieldLabel, inWords } from "@/components/ui/text/format";
import type { Field } from "@/lib/records/schema/field";
import { ME } from "@/lib/records/schema/list-address";

interface FilterInputProps {
  name: string;
  field: Field;
  /** As the API takes it; an empty text for any. */
  value: string;
  onChange: (value: string) => void;
}

const YES_OR_NO = [
  { value: "", label: "Any" },
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

/** The choice of one filter, by the kind of its field. */
export function FilterInput({ name, field, value, onChange }: FilterInputProps) {
  const label = fieldLabel(name);
  if (field.references === "users") return <UserInput label={label} value={value} onChange={onChange} />;
  if (field.references)
    return <ReferenceInput label={label} target={field.references} value={value} onChange={onChange} />;
  if (field.values) return <SeveralValues label={label} choices={field.values} value={value} onChange={onChange} />;
  if (field.kind === "boolean")
    return (
      <NativeSelect
        label={label}
        data={YES_OR_NO}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return <ExactText label={label} value={value} onChange={onChange} />;
}

interface InputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A user, or the reader, whoever that is: in a shared view each sees their own. */
function UserInput({ label, value, onChange }: InputProps) {
  const isMe = value === ME;
  return (
    <Stack gap="xs">
      <ReferenceInput label={label} target="users" value={isMe ? "" : value} onChange={onChange} />
      <Checkbox
        label="Me"
        aria-label={`${label}: Me`}
        checked={isMe}
        onChange={(event) => onChange(event.currentTarget.checked ? ME : "")}
      />
    </Stack>
  );
}

/** Any of the chosen values; without one, whatever the value is. */
function SeveralValues({ label, choices, value, onChange }: InputProps & { choices: readonly string[] }) {
  const set = (chosen: readonly string[]) => onChange(choices.filter((each) => chosen.includes(each)).join());
  return (
    <Checkbox.Group label={label} value={value === "" ? [] : value.split(",")} onChange={set}>
      <Flex wrap="wrap" rowGap="sm" columnGap="lg" mt={4}>
        {choices.map((choice) => (
          <Checkbox key={choice} value={choice} label={inWords(choice)} />
        ))}
      </Flex>
    </Checkbox.Group>
  );
}

/** So long after the last key a text takes effect, in milliseconds. */
const PAUSE = 600;

/** The API compares the whole text. */
function ExactText({ label, value, onChange }: InputProps) {
  const { typed, type, flush } = useTypedText(value, PAUSE, onChange);
  return (
    <TextInput
      label={label}
      placeholder="The whole value"
      autoComplete="off"
      maxLength={255}
      value={typed}
      onChange={(event) => type(event.currentTarget.value, trimmed)}
      onBlur={flush}
    />
  );
}

function trimmed(text: string): string {
  return text.trim();
}
