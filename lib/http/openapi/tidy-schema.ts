import type { JsonSchema } from "@/lib/http/openapi/json-schema";

/** Formats that say by their name all that the pattern beside them says. */
const WELL_KNOWN = new Set(["date", "date-time", "email", "uuid"]);

/**
 * Writes a schema of zod's as a reader would: without patterns that a format says better, and a value that may be null as a list of types and
 * not as a choice between two schemas.
 */
export function tidySchema(schema: JsonSchema): JsonSchema {
  const tidy = { ...schema };
  if (tidy.format !== undefined && WELL_KNOWN.has(tidy.format)) delete tidy.pattern;
  if (tidy.properties) tidy.properties = Object.fromEntries(Object.entries(tidy.properties).map(([name, each]) => [name, tidySchema(each)]));
  if (tidy.items) tidy.items = tidySchema(tidy.items);
  if (typeof tidy.additionalProperties === "object") tidy.additionalProperties = tidySchema(tidy.additionalProperties);
  for (const keyword of ["anyOf", "oneOf", "allOf"] as const) {
    const among = tidy[keyword];
    if (among) tidy[keyword] = among.map(tidySchema);
  }
  return joinNull(tidy);
}

function joinNull(schema: JsonSchema): JsonSchema {
  const [value, none, ...others] = schema.anyOf ?? [];
  if (value === undefined || none?.type !== "null" || others.length > 0 || typeof value.type !== "string") return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...value, ...rest, type: [value.type, "null"], ...(value.enum && { enum: [...value.enum, null] }) };
}
