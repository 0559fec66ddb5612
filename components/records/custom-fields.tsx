import { Title } from "@mantine/core";

import { Entry } from "@/components/records/field-list";
import classes from "@/components/records/field-list.module.css";

/** What the record keeps beyond our fields, under the names that it had in the Salesforce org. */
export function CustomFields({ values }: { values: Record<string, unknown> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <section>
      <Title order={2} mb="md">
        Custom fields
      </Title>
      <dl className={classes.list}>
        {entries.map(([name, value]) => {
          const text = typeof value === "string" ? value : JSON.stringify(value);
          return (
            <Entry key={name} label={name} isLong={text.length > 80}>
              {text}
            </Entry>
          );
        })}
      </dl>
    </section>
  );
}
