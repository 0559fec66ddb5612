/** A JSON Schema (2020-12), with the keywords that the document and the reference pages read. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  readOnly?: boolean;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $defs?: Record<string, JsonSchema>;
}

/** A reference to a component of the document. */
export function refTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name of the component that a reference leads to. */
export function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

type Schemas = Record<string, JsonSchema>;

const BY_FORMAT: Record<string, string> = {
  uuid: "019cadd3-7fc0-7af2-9132-9b2fc82e5efe",
  "date-time": "2026-03-02T09:14:05.120Z",
  date: "2026-06-30",
  uri: "https://example.com",
  email: "ada@example.com",
};

const BY_TYPE: Record<string, (schema: JsonSchema, schemas: Schemas) => unknown> = {
  string: ({ format, minLength = 0 }) => BY_FORMAT[format ?? ""] ?? "text".padEnd(minLength, "x"),
  integer: ({ minimum = 1 }) => Math.max(minimum, 1),
  number: ({ minimum = 1 }) => Math.max(minimum, 1),
  boolean: () => true,
  array: ({ items }, schemas) => (items ? [sampleValue(items, schemas)] : []),
  object: ({ properties = {}, required = [] }, schemas) =>
    Object.fromEntries(required.map((name) => [name, sampleValue(properties[name] ?? {}, schemas)])),
};

/** A value that a schema allows, where no example is written. Objects have only their required properties. */
export function sampleValue(schema: JsonSchema, schemas: Schemas): unknown {
  const target = schema.$ref ? schemas[nameIn(schema.$ref)] : alternativeOf(schema);
  if (target) return sampleValue(target, schemas);
  const given = [...(schema.examples ?? []), schema.const, schema.default, ...(schema.enum ?? [])].find(
    (value) => value !== undefined,
  );
  if (given !== undefined) return given;
  const [type = "null"] = [schema.type ?? []].flat();
  return BY_TYPE[type]?.(schema, schemas) ?? null;
}

function alternativeOf({ anyOf, oneOf }: JsonSchema): JsonSchema | undefined {
  return (anyOf ?? oneOf)?.[0];
}
