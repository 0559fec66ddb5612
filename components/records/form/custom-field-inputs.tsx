import { Fieldset, SimpleGrid, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { flushSync } from "react-dom";

import { customFieldKind, type CustomFieldKind } from "@/components/records/fields/custom-field-kind";
import { CustomFieldList, customFieldLabels } from "@/components/records/fields/custom-fields";
import { isMachineValue } from "@/components/records/fields/technical-fields";
import { AddCustomField } from "@/components/records/form/add-custom-field";
import { customField, customInput, customInputs } from "@/components/records/form/custom-inputs";
import { FieldInput, isLong } from "@/components/records/form/field-input";
import type { FormValues } from "@/components/records/form/record-values";
import type { AnyRecord } from "@/components/records/record";
import type { ResourceName } from "@/lib/records/schema/resources";

interface CustomFieldInputsProps {
  resource: ResourceName;
  form: UseFormReturnType<FormValues>;
  /** The record that is changed. */
  item?: AnyRecord | undefined;
}

/** The inputs of the custom fields, and one for any other name. Lists and objects are only shown. */
export function CustomFieldInputs({ resource, form, item }: CustomFieldInputsProps) {
  const values = item?.custom_fields ?? {};
  const atFirst = form.getInitialValues();
  const fields = customInputs(form.values).map((custom) => ({
    ...custom,
    field: customField(custom.kind, atFirst[custom.input]),
  }));
  const labelOf = customFieldLabels(resource, item ?? {});
  const inputs = (chosen: typeof fields) =>
    chosen.map(({ input, name, field }) => (
      <FieldInput key={input} name={input} field={field} form={form} label={labelOf(name)} title={name} />
    ));
  const fixed = Object.entries(values).filter(([name, value]) => isFixed(name, value));
  const add = (kind: CustomFieldKind, name: string) => {
    const { input } = customInput(kind, name);
    flushSync(() => form.setFieldValue(input, ""));
    form.getInputNode(input)?.focus();
  };
  return (
    <Fieldset legend="Custom fields">
      <Stack gap="lg">
        {fields.length > 0 && (
          <Text size="sm" c="dimmed">
            A field that you empty is removed from this record.
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          {inputs(fields.filter(({ field }) => !isLong(field)))}
        </SimpleGrid>
        {inputs(fields.filter(({ field }) => isLong(field)))}
        {fixed.length > 0 && <CustomFieldList resource={resource} item={item ?? {}} entries={fixed} />}
        <AddCustomField taken={[...Object.keys(values), ...fields.map(({ name }) => name)]} onAdd={add} />
      </Stack>
    </Fieldset>
  );
}

/** Whether a form only shows a custom field. */
function isFixed(name: string, value: unknown): boolean {
  return customFieldKind(value) === null && !isMachineValue(name, value);
}
