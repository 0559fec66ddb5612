import { Text, Title } from "@mantine/core";

import type { Schema } from "@/components/docs/document";
import classes from "@/components/docs/operation/operation-card.module.css";
import { FieldList, fieldsOf, type Places } from "@/components/docs/schema/field-list";
import { typeOfSchema } from "@/components/docs/schema/type-of-schema";

/** The fields of a schema that has a name. */
export function SchemaCard({ name, schema, places }: { name: string; schema: Schema; places: Places }) {
  const fields = fieldsOf(schema);
  return (
    <section className={classes.card} aria-labelledby={name}>
      <Title order={3} id={name}>
        {name}
      </Title>
      {fields.length > 0 ? (
        <FieldList fields={fields} places={places} />
      ) : (
        <Text size="sm">{typeOfSchema(schema)}</Text>
      )}
    </section>
  );
}
