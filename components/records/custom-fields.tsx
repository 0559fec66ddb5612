import { Box, Title } from "@mantine/core";

import { Disclosure } from "@/components/layout/disclosure";
import { formatCount } from "@/components/layout/format";
import { isTechnical, OWNER_NAME } from "@/components/records/custom-field-kind";
import { customFieldLabel } from "@/components/records/custom-field-label";
import { customFieldValue } from "@/components/records/custom-field-value";
import { Entry } from "@/components/records/field-list";
import classes from "@/components/records/field-list.module.css";

type Values = Record<string, unknown>;

/** What the record keeps beyond our fields; a label's tooltip is the name that the field has in the Salesforce org and in the API. */
export function CustomFields({ values }: { values: Values }) {
  const entries = Object.entries(values).filter(([name, value]) => name !== OWNER_NAME && !isTechnical(name, value));
  if (entries.length === 0) return null;
  return (
    <section>
      <Title order={2} mb="md">
        Custom fields
      </Title>
      <CustomFieldList entries={entries} />
    </section>
  );
}

/** Ids and marks of the Salesforce record, folded: few people ask for them. */
export function FromSalesforce({ values }: { values: Values }) {
  const entries = Object.entries(values).filter(([name, value]) => isTechnical(name, value));
  if (entries.length === 0) return null;
  return (
    <Disclosure title="From Salesforce" note={formatCount(entries.length, "value")}>
      <Box py="md" px={{ base: 0, sm: "xs" }}>
        <CustomFieldList entries={entries} />
      </Box>
    </Disclosure>
  );
}

function CustomFieldList({ entries }: { entries: readonly [name: string, value: unknown][] }) {
  return (
    <dl className={classes.list}>
      {entries.map(([name, value]) => (
        <Entry key={name} label={customFieldLabel(name)} name={name} isLong={typeof value === "string" && value.length > 80}>
          {customFieldValue(name, value)}
        </Entry>
      ))}
    </dl>
  );
}
