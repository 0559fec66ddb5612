import { Code, Text } from "@mantine/core";

import { type Schema, nameIn } from "@/components/docs/document";
import { InlineText } from "@/components/docs/markdown/inline-text";
import classes from "@/components/docs/schema/field-list.module.css";
import { limitsOf, refOf, typeOfSchema } from "@/components/docs/schema/type-of-schema";

export interface Field {
  name: string;
  required: boolean;
  description?: string;
  schema: Schema;
}

/** The address of each named schema's fields. */
export type Places = Record<string, string>;

/** The fields of an object as a list. */
export function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    ...(schema.description !== undefined && { description: schema.description }),
    schema,
  }));
}

/** Fields or parameters: the name, the type and the meaning of each. */
export function FieldList({
  fields,
  places,
  marksRequired = false,
}: {
  fields: readonly Field[];
  places: Places;
  marksRequired?: boolean;
}) {
  return (
    <dl className={classes.list}>
      {fields.map((field) => (
        <div key={field.name} className={classes.row}>
          <dt className={classes.name}>
            <Code className={classes.code}>{field.name}</Code>
            {marksRequired && field.required && <span className={classes.required}>required</span>}
          </dt>
          <dd className={classes.meaning}>
            <FieldMeaning field={field} places={places} marksRequired={marksRequired} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface FieldMeaningProps {
  field: Field;
  places: Places;
  marksRequired: boolean;
}

function FieldMeaning({ field: { schema, description }, places, marksRequired }: FieldMeaningProps) {
  const ref = refOf(schema);
  const byDefault = schema.default === undefined ? null : `${JSON.stringify(schema.default)} by default`;
  const notes = [limitsOf(schema), schema.readOnly ? "set by the service" : null, byDefault].filter(Boolean);
  return (
    <>
      <Text size="sm" c="dimmed">
        {typeOfSchema(schema)}
        {ref && <> {<SchemaLink name={nameIn(ref)} places={places} />}</>}
        {schema.enum && <EnumValues values={schema.enum} />}
        {notes.length > 0 && `, ${notes.join(", ")}`}
      </Text>
      {description && (
        <Text size="sm">
          <InlineText text={description} />
        </Text>
      )}
      {nestedIn(schema).map(({ title, object }) => (
        <details key={title} className={classes.nested}>
          <summary>{title}</summary>
          <FieldList fields={fieldsOf(object)} places={places} marksRequired={marksRequired} />
        </details>
      ))}
    </>
  );
}

/** The unnamed objects of a value: one, or several of which a constant says which it is. */
function nestedIn(schema: Schema): { title: string; object: Schema }[] {
  const object = schema.properties ? schema : (schema.items ?? {});
  if (object.properties) return [{ title: "Fields", object }];
  return (object.oneOf ?? object.anyOf ?? []).flatMap((each) =>
    each.properties ? [{ title: `Fields${constantsOf(each)}`, object: each }] : [],
  );
}

function constantsOf({ properties = {} }: Schema): string {
  const constants = Object.entries(properties).filter(([, { const: value }]) => value !== undefined);
  return constants.map(([name, { const: value }]) => ` when ${name} is ${String(value)}`).join("");
}

function EnumValues({ values }: { values: readonly unknown[] }) {
  const written = values.filter((value) => value !== null).map(String);
  return <span className={classes.values}> {written.join(", ")}</span>;
}

/** A schema's name, as a link to its fields. */
export function SchemaLink({ name, places }: { name: string; places: Places }) {
  const place = places[name];
  return place ? <a href={place}>{name}</a> : name;
}
