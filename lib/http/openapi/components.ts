import { z } from "zod";

import { type JsonSchema, nameIn, refTo } from "@/lib/http/openapi/json-schema";

type Direction = "input" | "output";

/** Adds our names to zod's own registry, which has the descriptions. */
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
    // Optional fields differ between requests and responses.
    return name === undefined ? known : { ...known, id: this.direction === "input" ? `${name}Input` : name };
  }
}

/** The schemas of the document by name. Describing the operations fills it. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  constructor(private readonly named: ReadonlyMap<z.core.$ZodType, string>) {}

  /** Whether a schema of this name is shared by all operations. */
  isNamed(name: string): boolean {
    return [...this.named.values()].includes(name);
  }

  /**
   * The JSON Schema of a zod schema. Its named parts become components, and so does the schema itself if it has a name.
   */
  convert(schema: z.ZodType, direction: Direction): JsonSchema {
    const converted = z.toJSONSchema(schema, {
      target: "draft-2020-12",
      io: direction,
      unrepresentable: "any",
      metadata: new Names(this.named, direction),
      override: ({ jsonSchema }) => {
        // Within v1 answers get further fields, so no client may refuse an answer because of one.
        if (direction === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    const { $schema: _, $defs = {}, ...root } = resolveRefs(converted as JsonSchema & { $schema?: string });
    for (const [name, part] of Object.entries($defs)) {
      // Names of zod: the recursive "any JSON value", which `resolveRefs` has replaced.
      if (!name.startsWith("__")) this.put(name, simplifySchema(part));
    }
    return simplifySchema(root);
  }

  /**
   * Adds a schema under a name, or under `otherwise` if another schema has that name, and returns the reference to it.
   */
  put(name: string, schema: JsonSchema, otherwise?: string): JsonSchema {
    if (schema.$ref) return schema;
    const present = this.schemas[name];
    if (present === undefined || JSON.stringify(present) === JSON.stringify(schema)) {
      this.schemas[name] = schema;
      return refTo(name);
    }
    if (otherwise === undefined || otherwise === name) throw new Error(`Two different schemas are named ${name}.`);
    return this.put(otherwise, schema);
  }
}

/** Points references to the components. zod's own names stand for any JSON value, which is an empty schema. */
function resolveRefs<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(resolveRefs) as Value;
  if (typeof value !== "object" || value === null) return value;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === "string" && nameIn($ref).startsWith("__")) return {} as Value;
  const entries = Object.entries(value).map(([key, each]) => [key, resolveRefs(each)]);
  if (typeof $ref === "string") return { ...Object.fromEntries(entries), ...refTo(nameIn($ref)) } as Value;
  return Object.fromEntries(entries) as Value;
}

/** Formats that make the pattern beside them redundant. */
const WELL_KNOWN = new Set(["date", "date-time", "email", "uuid"]);

/**
 * Makes a schema of zod easier to use: removes patterns that a format already says, turns "this schema or null" into a
 * list of types, and says how wide numbers are.
 */
function simplifySchema(schema: JsonSchema): JsonSchema {
  const width = widthOf(schema);
  const simple = { ...(width !== undefined && { format: width }), ...schema };
  if (simple.format !== undefined && WELL_KNOWN.has(simple.format)) delete simple.pattern;
  if (simple.properties)
    simple.properties = Object.fromEntries(
      Object.entries(simple.properties).map(([name, each]) => [name, simplifySchema(each)]),
    );
  if (simple.items) simple.items = simplifySchema(simple.items);
  if (typeof simple.additionalProperties === "object")
    simple.additionalProperties = simplifySchema(simple.additionalProperties);
  for (const keyword of ["anyOf", "oneOf", "allOf"] as const) {
    const among = simple[keyword];
    if (among) simple[keyword] = among.map(simplifySchema);
  }
  return mergeNull(simple);
}

/** The format of a number. Without one, clients that are generated in Go or Java read amounts as 32-bit floats. */
function widthOf({ type, minimum = -Infinity, maximum = Infinity }: JsonSchema): string | undefined {
  const [only, ...others] = [type ?? []].flat().filter((each) => each !== "null");
  if (others.length > 0) return undefined;
  if (only === "number") return "double";
  if (only !== "integer") return undefined;
  return minimum >= -(2 ** 31) && maximum < 2 ** 31 ? "int32" : "int64";
}

function mergeNull(schema: JsonSchema): JsonSchema {
  const [value, none, ...others] = schema.anyOf ?? [];
  if (value === undefined || none?.type !== "null" || others.length > 0 || typeof value.type !== "string")
    return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...value, ...rest, type: [value.type, "null"], ...(value.enum && { enum: [...value.enum, null] }) };
}

/** Replaces every part that equals a whole component by a reference to it, such as the items of a batch. */
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
