import { z } from "zod";

import { type JsonSchema, nameIn, refTo } from "@/lib/http/openapi/json-schema";

type Direction = "input" | "output";

/** Adds our names to what zod's own registry knows of a schema, its description above all. */
class Names extends z.core.$ZodRegistry<{ id?: string }> {
  constructor(
    private readonly named: ReadonlyMap<z.core.$ZodType, string>,
    private readonly direction: Direction,
  ) {
    super();
  }

  override get(schema: z.core.$ZodType) {
    const known = z.globalRegistry.get(schema);
    const name = this.named.get(schema);
    // What may be left out differs between what clients send and what they get.
    return name === undefined ? known : { ...known, id: this.direction === "input" ? `${name}Input` : name };
  }
}

/** The schemas of the document by name, filled while operations are described. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  constructor(private readonly named: ReadonlyMap<z.core.$ZodType, string>) {}

  /** Whether a schema has this name wherever it stands. */
  isNamed(name: string): boolean {
    return [...this.named.values()].includes(name);
  }

  /** JSON Schema of a zod schema. Its parts that have a name become components, and so does itself if it has one. */
  convert(schema: z.ZodType, direction: Direction): JsonSchema {
    const converted = z.toJSONSchema(schema, {
      target: "draft-2020-12",
      io: direction,
      unrepresentable: "any",
      metadata: new Names(this.named, direction),
    });
    const { $schema: _, $defs = {}, ...root } = resolveRefs(converted as JsonSchema & { $schema?: string });
    for (const [name, part] of Object.entries($defs)) {
      // zod's own names: the recursive "any JSON value", which `resolveRefs` has resolved.
      if (!name.startsWith("__")) this.put(name, simplifySchema(part));
    }
    return simplifySchema(root);
  }

  /** Gives a schema a name, or `otherwise` where another schema has taken it, and returns the reference to it. */
  put(name: string, schema: JsonSchema, otherwise?: string): JsonSchema {
    if (schema.$ref) return schema;
    const there = this.schemas[name];
    if (there === undefined || JSON.stringify(there) === JSON.stringify(schema)) {
      this.schemas[name] = schema;
      return refTo(name);
    }
    if (otherwise === undefined || otherwise === name) throw new Error(`Two different schemas are named ${name}.`);
    return this.put(otherwise, schema);
  }
}

/**
 * Makes references lead to where components stand; what zod names itself is any JSON value, which an empty schema says.
 */
function resolveRefs<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(resolveRefs) as Value;
  if (typeof value !== "object" || value === null) return value;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === "string" && nameIn($ref).startsWith("__")) return {} as Value;
  const entries = Object.entries(value).map(([key, each]) => [key, resolveRefs(each)]);
  if (typeof $ref === "string") return { ...Object.fromEntries(entries), ...refTo(nameIn($ref)) } as Value;
  return Object.fromEntries(entries) as Value;
}

/** Formats that say by their name all that the pattern beside them says. */
const WELL_KNOWN = new Set(["date", "date-time", "email", "uuid"]);

/**
 * Writes a schema of zod's as a reader would: without patterns that a format says better, and a value that may be null
 * as a list of types and not as a choice between two schemas.
 */
function simplifySchema(schema: JsonSchema): JsonSchema {
  const tidy = { ...schema };
  if (tidy.format !== undefined && WELL_KNOWN.has(tidy.format)) delete tidy.pattern;
  if (tidy.properties)
    tidy.properties = Object.fromEntries(
      Object.entries(tidy.properties).map(([name, each]) => [name, simplifySchema(each)]),
    );
  if (tidy.items) tidy.items = simplifySchema(tidy.items);
  if (typeof tidy.additionalProperties === "object")
    tidy.additionalProperties = simplifySchema(tidy.additionalProperties);
  for (const keyword of ["anyOf", "oneOf", "allOf"] as const) {
    const among = tidy[keyword];
    if (among) tidy[keyword] = among.map(simplifySchema);
  }
  return mergeNull(tidy);
}

function mergeNull(schema: JsonSchema): JsonSchema {
  const [value, none, ...others] = schema.anyOf ?? [];
  if (value === undefined || none?.type !== "null" || others.length > 0 || typeof value.type !== "string")
    return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...value, ...rest, type: [value.type, "null"], ...(value.enum && { enum: [...value.enum, null] }) };
}

/**
 * Replaces every part of the components that is written as a whole component is by a reference to it: the items of a
 * batch, for one.
 */
export function shareSchemas(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
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
