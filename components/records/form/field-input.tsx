import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

import type { FormValues } from "@/components/records/form/record-values";
import { ReferenceInput } from "@/components/records/form/reference-input";
import { TimeInput } from "@/components/ui/form/time-input";
import { fieldLabel, inWords } from "@/components/ui/text/format";
import type { Field } from "@/lib/records/schema/field";

interface FieldInputProps {
  name: string;
  field: Field;
  form: UseFormReturnType<FormValues>;
  /** The label, if it is not that of a field of our own. */
  label?: string;
  /** The field's name in the API, if it differs from the label; a tooltip. */
  title?: string;
  /** Takes the account of the chosen record; an empty text where it has none. */
  onAccount?: ((id: string) => void) | undefined;
}

/** Fields of one line have at most so many characters. */
const MAX_LINE = 255;

/** The input of a field, by its kind. */
export function FieldInput({ name, field, form, label = fieldLabel(name), title, onAccount }: FieldInputProps) {
  const required = field.required;
  const { error, ...props } = form.getInputProps(name);
  const input = { ...props, title };
  if (field.kind === "boolean") return <Checkbox label={label} {...form.getInputProps(name, { type: "checkbox" })} />;
  if (field.references)
    return (
      <ReferenceInput
        label={label}
        target={field.references}
        value={String(form.values[name] ?? "")}
        error={error}
        required={required}
        onChange={(id, accountId) => {
          form.setFieldValue(name, id);
          onAccount?.(accountId);
        }}
      />
    );
  const choices = choicesOf(field);
  if (choices) return <NativeSelect label={label} data={choices} required={required} error={error} {...input} />;
  if (isLong(field))
    return <Textarea label={label} autosize minRows={3} maxRows={14} required={required} error={error} {...input} />;
  const Input = field.kind === "timestamp" ? TimeInput : TextInput;
  return <Input label={label} autoComplete="off" required={required} error={error} {...TYPES[field.kind]} {...input} />;
}

/** Texts of many lines take the whole width. */
export function isLong({ maxLength = 0 }: Field): boolean {
  return maxLength > MAX_LINE;
}

const TYPES: Partial<Record<Field["kind"], { type?: string; inputMode?: "decimal" | "numeric" }>> = {
  money: { inputMode: "decimal" },
  integer: { inputMode: "numeric" },
  date: { type: "date" },
};

/** The fixed values of a field. An optional one can also have none. */
function choicesOf({ values: all, nullable, required, default: usual }: Field) {
  if (!all) return null;
  const values = all.map((value: string) => ({ value, label: inWords(value) }));
  const mayBeEmpty = nullable || (required && usual === undefined);
  return mayBeEmpty ? [{ value: "", label: required ? "Choose one" : "—" }, ...values] : values;
}
