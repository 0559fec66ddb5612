import { type JsonSchema, nameIn } from "@/lib/http/openapi/json-schema";

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

/** A value that a schema allows, for the example of what nobody has written one for. Objects hold what they must hold. */
export function sampleValue(schema: JsonSchema, schemas: Schemas): unknown {
  const meant = schema.$ref ? schemas[nameIn(schema.$ref)] : alternativeOf(schema);
  if (meant) return sampleValue(meant, schemas);
  const given = [...(schema.examples ?? []), schema.const, schema.default, ...(schema.enum ?? [])].find((value) => value !== undefined);
  if (given !== undefined) return given;
  const [type = "null"] = [schema.type ?? []].flat();
  return BY_TYPE[type]?.(schema, schemas) ?? null;
}

function alternativeOf({ anyOf, oneOf }: JsonSchema): JsonSchema | undefined {
  return (anyOf ?? oneOf)?.[0];
}
