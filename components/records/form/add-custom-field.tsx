import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

import type { CustomFieldKind } from "@/components/records/fields/custom-field-kind";
import { hasInvisibleCharacters, INVISIBLE_FAULT } from "@/lib/input/invisible-characters";

interface AddCustomFieldProps {
  /** The names that the record has already. */
  taken: readonly string[];
  /** Makes an input for it, which takes the focus. */
  onAdd: (kind: CustomFieldKind, name: string) => void;
}

/** A button that asks for the name and the kind of another custom field. */
export function AddCustomField({ taken, onAdd }: AddCustomFieldProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  const add: AddCustomFieldProps["onAdd"] = (kind, name) => {
    close();
    onAdd(kind, name);
  };
  const cancel = () => {
    flushSync(close);
    button.current?.focus();
  };
  if (isOpen) return <NewField taken={taken} onAdd={add} onCancel={cancel} />;
  return (
    <Group>
      <Button
        ref={button}
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} stroke={1.6} aria-hidden />}
        onClick={open}
      >
        Add a custom field
      </Button>
    </Group>
  );
}

const KINDS: { value: CustomFieldKind; label: string }[] = [
  { value: "text", label: "Text" },
  { value: "number", label: "Number" },
  { value: "date", label: "Date" },
  { value: "timestamp", label: "Date and time" },
  { value: "boolean", label: "Yes or no" },
];

/** The longest name, as the API takes it. */
const MAX_NAME = 255;

/** It stands in the form of the record: Enter adds the field, and sends nothing yet. */
function NewField({ taken, onAdd, onCancel }: AddCustomFieldProps & { onCancel: () => void }) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<CustomFieldKind>("text");
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const add = () => {
    const found = faultOfName(name.trim(), taken);
    if (found === null) return onAdd(kind, name.trim());
    setFault(found);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <TextInput
          ref={field}
          label="Name of the new field"
          autoComplete="off"
          maxLength={MAX_NAME}
          value={name}
          error={fault}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <NativeSelect
          label="Kind"
          data={KINDS}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as CustomFieldKind)}
        />
      </SimpleGrid>
      <Group gap="sm">
        <Button variant="default" size="xs" onClick={add}>
          Add the field
        </Button>
        <Button variant="subtle" size="xs" onClick={onCancel}>
          Do not add it
        </Button>
      </Group>
    </Stack>
  );
}

/** Why a record cannot get a custom field of this name; null if it can. */
export function faultOfName(name: string, taken: readonly string[]): string | null {
  if (name === "") return "Enter a name.";
  if (hasInvisibleCharacters(name)) return INVISIBLE_FAULT;
  // The API takes it nowhere.
  if (name === "__proto__") return "A custom field cannot have this name. Enter another one.";
  return taken.includes(name) ? "The record has a custom field of this name already." : null;
}
