import { type JsonSchema, refTo } from "@/lib/http/openapi/json-schema";

/** Replaces every part of the components that is written as a whole component is by a reference to it: the items of a batch, for one. */
export function shareEqual(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]));
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, replaceParts(schema, names)]));
}

function replaceParts<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  if (typeof value !== "object" || value === null) return value;
  const replace = (part: unknown) => {
    const name = typeof part === "object" ? names.get(JSON.stringify(part)) : undefined;
    return name === undefined ? replaceParts(part, names) : refTo(name);
  };
  if (Array.isArray(value)) return value.map(replace) as Value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part)])) as Value;
}
