import { Fieldset, SimpleGrid, Stack } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

import { CustomFieldInputs } from "@/components/records/form/custom-field-inputs";
import { FieldInput, isLong } from "@/components/records/form/field-input";
import { formFields, type FormValues, offered } from "@/components/records/form/record-values";
import type { AnyRecord } from "@/components/records/record";
import type { Field } from "@/lib/records/schema/field";
import type { ResourceName } from "@/lib/records/schema/resources";

const ADDRESS = /^(billing|shipping|mailing|other)_/;

const LEGENDS: Record<string, string> = {
  billing: "Billing address",
  shipping: "Shipping address",
  mailing: "Mailing address",
  other: "Other address",
};

interface RecordFieldsProps {
  resource: ResourceName;
  form: UseFormReturnType<FormValues>;
  /** The record that is changed; none while it is created. */
  item?: AnyRecord;
}

/** The inputs of a record: short ones in two columns, then boxes to tick, long texts, addresses and custom fields. */
export function RecordFields({ resource, form, item }: RecordFieldsProps) {
  const all = formFields(resource).map(([name, field]): [string, Field] => [name, offered(name, field, item)]);
  const plain = all.filter(([name]) => !ADDRESS.test(name));
  const boxes = plain.filter(([, { kind }]) => kind === "boolean");
  const addresses = Object.groupBy(
    all.filter(([name]) => ADDRESS.test(name)),
    ([name]) => name.split("_")[0] ?? "",
  );
  return (
    <Stack gap="xl">
      <Inputs fields={plain.filter(([, field]) => !isLong(field) && field.kind !== "boolean")} form={form} />
      {boxes.length > 0 && <Inputs fields={boxes} form={form} />}
      {plain
        .filter(([, field]) => isLong(field))
        .map(([name, field]) => (
          <FieldInput key={name} name={name} field={field} form={form} />
        ))}
      {Object.entries(addresses).map(([prefix, fields = []]) => (
        <Fieldset key={prefix} legend={LEGENDS[prefix]}>
          <Inputs fields={fields} form={form} />
        </Fieldset>
      ))}
      <CustomFieldInputs resource={resource} form={form} item={item} />
    </Stack>
  );
}

function Inputs({ fields, form }: { fields: readonly [string, Field][]; form: RecordFieldsProps["form"] }) {
  // What is about a contact is about their account too. Nothing is overwritten.
  const fillIn = (accountId: string) => {
    if (form.values.account_id === "" && accountId !== "") form.setFieldValue("account_id", accountId);
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      {fields.map(([name, field]) => (
        <FieldInput
          key={name}
          name={name}
          field={field}
          form={form}
          onAccount={name === "contact_id" ? fillIn : undefined}
        />
      ))}
    </SimpleGrid>
  );
}
