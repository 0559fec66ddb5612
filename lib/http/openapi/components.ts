import { z } from "zod";

import { type JsonSchema, nameIn, refTo } from "@/lib/http/openapi/json-schema";
import { tidySchema } from "@/lib/http/openapi/tidy-schema";

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
    const { $schema: _, $defs = {}, ...root } = point(converted as JsonSchema & { $schema?: string });
    for (const [name, part] of Object.entries($defs)) {
      // zod's own names: the recursive "any JSON value", which `point` has resolved.
      if (!name.startsWith("__")) this.put(name, tidySchema(part));
    }
    return tidySchema(root);
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

/** Makes references lead to where components stand; what zod names itself is any JSON value, which an empty schema says. */
function point<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(point) as Value;
  if (typeof value !== "object" || value === null) return value;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === "string" && nameIn($ref).startsWith("__")) return {} as Value;
  const entries = Object.entries(value).map(([key, each]) => [key, point(each)]);
  if (typeof $ref === "string") return { ...Object.fromEntries(entries), ...refTo(nameIn($ref)) } as Value;
  return Object.fromEntries(entries) as Value;
}
