import { NativeSelect, TextInput } from "@mantine/core";

import { ReferenceInput } from "@/components/records/form/reference-input";
import { useTypedText } from "@/components/ui/form/use-typed-text";
import { fieldLabel, inWords } from "@/components/ui/text/format";
import type { Field } from "@/lib/records/schema/field";

interface FilterInputProps {
  name: string;
  field: Field;
  /** As the API takes it; an empty text for any. */
  value: string;
  onChange: (value: string) => void;
}

const ANY = { value: "", label: "Any" };

/** The choice of one filter, by the kind of its field. */
export function FilterInput({ name, field, value, onChange }: FilterInputProps) {
  const label = fieldLabel(name);
  if (field.references)
    return <ReferenceInput label={label} target={field.references} value={value} onChange={onChange} />;
  const choices = choicesOf(field);
  if (choices)
    return (
      <NativeSelect
        label={label}
        data={[ANY, ...choices]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return <ExactText label={label} value={value} onChange={onChange} />;
}

function choicesOf({ kind, values }: Field): { value: string; label: string }[] | null {
  if (kind === "boolean")
    return [
      { value: "true", label: "Yes" },
      { value: "false", label: "No" },
    ];
  return values?.map((value: string) => ({ value, label: inWords(value) })) ?? null;
}

interface InputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
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
