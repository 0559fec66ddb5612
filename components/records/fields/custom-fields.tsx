import { Box, Title } from "@mantine/core";

import { isOfSalesforce, isTechnical, OWNER_NAME } from "@/components/records/fields/technical-fields";
import { customFieldLabel } from "@/components/records/fields/custom-field-label";
import { customFieldValueOf } from "@/components/records/fields/custom-field-value";
import { fieldLabel, formatCount } from "@/components/ui/text/format";
import { Entry } from "@/components/records/fields/field-list";
import classes from "@/components/records/fields/field-list.module.css";
import type { AnyRecord, SomeFields } from "@/components/records/record";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

interface CustomFieldsProps {
  resource: ResourceName;
  item: AnyRecord;
}

/** Labels for custom fields. One of Salesforce whose label equals that of our own field is marked "in Salesforce". */
export function customFieldLabels(resource: ResourceName, item: SomeFields): (name: string) => string {
  const ownLabels = new Set(Object.keys(ENTITIES[resource].fields).map(fieldLabel));
  return (name) => {
    const label = customFieldLabel(name);
    return ownLabels.has(label) && isOfSalesforce(item, name) ? `${label} in Salesforce` : label;
  };
}

/** The custom fields of a record. A label's tooltip is the field's name in the Salesforce org and in the API. */
export function CustomFields({ resource, item }: CustomFieldsProps) {
  const shown = ([name]: [string, unknown]) => name !== OWNER_NAME && !isTechnical(item, name);
  const entries = Object.entries(item.custom_fields).filter(shown);
  if (entries.length === 0) return null;
  return (
    <section>
      <Title order={2} mb="md">
        Custom fields
      </Title>
      <CustomFieldList resource={resource} item={item} entries={entries} />
    </section>
  );
}

/** The technical values of the Salesforce record, folded since few people need them. */
export function FromSalesforce({ resource, item }: CustomFieldsProps) {
  const entries = Object.entries(item.custom_fields).filter(([name]) => isTechnical(item, name));
  if (entries.length === 0) return null;
  return (
    <Disclosure title="From Salesforce" note={formatCount(entries.length, "value")}>
      <Box py="md" px={{ base: 0, sm: "xs" }}>
        <CustomFieldList resource={resource} item={item} entries={entries} />
      </Box>
    </Disclosure>
  );
}

interface ListProps {
  resource: ResourceName;
  /** Their record. */
  item: SomeFields;
  entries: readonly [name: string, value: unknown][];
}

/** Custom fields with their values. */
export function CustomFieldList({ resource, item, entries }: ListProps) {
  const labelOf = customFieldLabels(resource, item);
  return (
    <dl className={classes.list}>
      {entries.map(([name, value]) => (
        <Entry key={name} label={labelOf(name)} name={name} isLong={typeof value === "string" && value.length > 80}>
          {customFieldValueOf(resource, name, value)}
        </Entry>
      ))}
    </dl>
  );
}
