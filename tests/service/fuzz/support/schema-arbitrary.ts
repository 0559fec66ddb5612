import * as fc from "fast-check";

import type { JsonSchema } from "@/tests/service/fuzz/support/document";

/** What a name means beyond its schema, such as the records that an id can be of. Undefined if the schema is enough. */
export type Meaning = (name: string, schema: JsonSchema) => fc.Arbitrary<unknown> | undefined;

const UNDERSTOOD = new Set(
  [
    [
      "$ref",
      "type",
      "format",
      "pattern",
      "enum",
      "const",
      "minimum",
      "maximum",
      "minLength",
      "maxLength",
      "minItems",
      "maxItems",
    ],
    ["properties", "required", "additionalProperties", "propertyNames", "items", "anyOf", "oneOf", "not"],
    ["default", "description", "examples", "example", "title", "readOnly", "deprecated"],
  ].flat(),
);

/** Values that a schema allows. Throws for an unknown keyword, because the values might then not be allowed. */
export function valueOf(schema: JsonSchema, meaning: Meaning, name = ""): fc.Arbitrary<unknown> {
  const ofGroups = (schema.anyOf ?? []).flatMap(Object.keys).filter((keyword) => keyword !== "required");
  const unknown = [...Object.keys(schema).filter((keyword) => !UNDERSTOOD.has(keyword)), ...ofGroups][0];
  if (unknown !== undefined)
    throw new Error(
      `The schema of ${name || "a body"} uses \`${unknown}\`, which the fuzz test does not understand yet.`,
    );
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map((each) => valueOf(each, meaning, name)));
  const types = typesOf(schema);
  const values = types.filter((type) => type !== "null").map((type) => ofType(type, schema, meaning));
  const value = meaning(name, schema) ?? (values.length > 0 ? fc.oneof(...values) : anyJson);
  return types.includes("null") ? fc.option(value, { freq: 8 }) : value;
}

export function typesOf({ type, oneOf }: JsonSchema): string[] {
  return oneOf ? ["object"] : [type ?? []].flat();
}

const OF_TYPE: Record<string, (schema: JsonSchema, meaning: Meaning) => fc.Arbitrary<unknown>> = {
  string: textOf,
  boolean: () => fc.boolean(),
  integer: ({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }) =>
    fc.integer({ min: minimum, max: maximum }),
  number: ({ minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE }) =>
    fc.double({ noNaN: true, min: minimum, max: maximum }),
  array: listOf,
  object: objectOf,
};

function ofType(type: string, schema: JsonSchema, meaning: Meaning): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum.filter((value) => value !== null));
  const make = OF_TYPE[type];
  if (!make) throw new Error(`The fuzz test does not understand the type \`${type}\` yet.`);
  return make(schema, meaning);
}

/**
 * JSON that parsers agree on (RFC 7493), for custom fields: text that a database can store, and no name that a
 * JavaScript library drops.
 */
const anyJson: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }).filter((value) => {
  const text = JSON.stringify(value);
  return !text.includes('"__proto__"') && !text.includes("\\u0000");
});

/** The first and last moments whose year has four digits in every time zone. */
const YEARS = { min: new Date("0001-01-02T00:00:00Z"), max: new Date("9999-12-30T00:00:00Z"), noInvalidDate: true };
const moment = fc.oneof(
  { weight: 8, arbitrary: fc.date(YEARS).map((date) => date.toISOString()) },
  { weight: 1, arbitrary: fc.date(YEARS).map((date) => date.toISOString().replace(/\.\d+Z/, "+05:45")) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "2026-06-30T12:00:00.123456789Z",
      "1969-12-31T23:59:59Z",
      "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999Z",
    ),
  },
);

function textOf({ format, pattern, minLength = 0, maxLength = 300 }: JsonSchema): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid({ version: 7 });
  if (format === "date") return fc.date(YEARS).map((date) => date.toISOString().slice(0, 10));
  if (format === "date-time") return moment;
  if (format !== undefined) throw new Error(`The fuzz test does not understand the format \`${format}\` yet.`);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, "u"));
  const short = fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 12) });
  const odd = fc.string({ unit: "binary", minLength, maxLength: Math.min(maxLength, 30) });
  const longest = fc.constantFrom("x", "é", "語", "🔑").map((character) => character.repeat(maxLength));
  return fc
    .oneof({ weight: 10, arbitrary: short }, { weight: 4, arbitrary: odd }, { weight: 1, arbitrary: longest })
    .map((text) => text.replaceAll("\0", "0"))
    .filter((text) => [...text].length >= minLength && [...text].length <= maxLength);
}

function listOf({ items = {}, minItems = 0, maxItems = 200 }: JsonSchema, meaning: Meaning): fc.Arbitrary<unknown[]> {
  const item = valueOf(items, meaning);
  const few = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) });
  const most = fc.array(item, { minLength: Math.min(maxItems, 40), maxLength: maxItems });
  return fc.oneof({ weight: 40, arbitrary: few }, { weight: 1, arbitrary: most });
}

function objectOf(schema: JsonSchema, meaning: Meaning): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties, propertyNames, anyOf = [{ required: [] }] } = schema;
  if (properties === undefined) {
    const names = textOf({ maxLength: 300, ...propertyNames }).filter((name) => name !== "__proto__");
    const values = typeof additionalProperties === "object" ? valueOf(additionalProperties, meaning) : anyJson;
    return fc.array(fc.tuple(names, values), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
  }
  const possible = Object.entries(properties).filter(([, each]) => each.not === undefined);
  const values = possible.map(([name, each]) => [name, valueOf(each, meaning, name)] as const);
  const grouped = new Set(anyOf.flatMap((group) => group.required));
  const ofGroups = anyOf.map((group) => {
    // A request names one of the groups.
    const model = values.filter(([name]) => group.required.includes(name) || !grouped.has(name));
    const requiredKeys = [...required, ...group.required];
    return fc.record(Object.fromEntries(model), { requiredKeys, noNullPrototype: true });
  });
  return fc.oneof(...ofGroups);
}
