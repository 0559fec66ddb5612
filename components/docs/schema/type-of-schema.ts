import type { Schema } from "@/components/docs/document";

const FORMATS: Record<string, string> = { uuid: "id", date: "date", "date-time": "time", uri: "URL" };

/**
 * The type of a value in words: "text", "id or null", "list of text". Empty for a named schema, which {@link refOf}
 * gives.
 */
export function typeOfSchema(schema: Schema): string {
  if (schema.$ref) return "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOfSchema).filter(Boolean))].join(" or ");
  const types = [schema.type ?? "any"].flat();
  if (schema.enum && types.includes("string")) return types.includes("null") ? "null or one of" : "one of";
  return types
    .map((type) => (type === "array" ? `list${schema.items ? of(schema.items) : ""}` : wordFor(type, schema)))
    .join(" or ");
}

function of(items: Schema): string {
  const inner = typeOfSchema(items);
  return inner && ` of ${inner}`;
}

function wordFor(type: string, { format, enum: values }: Schema): string {
  if (type === "string") return values ? "one of" : (FORMATS[format ?? ""] ?? "text");
  return { integer: "whole number", boolean: "true or false", any: "any JSON value" }[type] ?? type;
}

/** The named schema of a value, of its items, or of one of its alternatives. */
export function refOf(schema: Schema): string | undefined {
  const refs = [schema.$ref, schema.items?.$ref, ...(schema.anyOf ?? schema.oneOf ?? []).map(({ $ref }) => $ref)];
  return refs.find((ref) => ref !== undefined);
}

/** The limits of a value, in words. */
export function limitsOf({ minimum, maximum, maxLength }: Schema): string | null {
  if (maxLength !== undefined) return `at most ${maxLength.toLocaleString("en")} characters`;
  if (minimum === undefined || maximum === undefined || Math.abs(minimum) >= 2 ** 31) return null;
  return maximum >= 2 ** 31 - 1 ? `${minimum} or more` : `${minimum} to ${maximum}`;
}
