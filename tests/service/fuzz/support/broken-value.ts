import * as fc from "fast-check";

import type { JsonSchema } from "@/tests/service/fuzz/support/document";
import { type Meaning, typesOf, valueOf } from "@/tests/service/fuzz/support/schema-arbitrary";

/** Values that the schema of a name allows but that are refused, such as ids that do not exist. */
export type Trap = (name: string) => readonly unknown[];

interface Terms {
  meaning: Meaning;
  trap: Trap;
}

/** A number in a notation that JavaScript does not write. */
function written(number: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(number);
}

/** Text that is not allowed (RFC 7493 §2.1, and what PostgreSQL cannot store). */
export const UNSTORABLE = ["\0", "a\0b", "\ud800", "b\udfffc", "\udc00\ud800"];
export const NO_DATES = [
  "2026-02-30",
  "2026-13-01",
  "0000-01-01",
  "10000-01-01",
  "+010000-01-01",
  "-0001-01-01",
  "26-1-1",
  "today",
  "2026-01-01T00:00:00Z",
];
const NO_TIMES = [
  [
    "2026-02-30T00:00:00Z",
    "2026-01-01T25:00:00Z",
    "2026-01-01T00:00:00",
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "now",
  ],
  ["+010000-01-01T00:00:00Z", "-000001-01-01T00:00:00Z", "2026-01-01T00:00:00+25:00", "1767225600"],
].flat();
const NO_IDS = [
  "x",
  "00000000-0000-0000-0000-000000000000",
  "7d444840-9dc0-11d1-b245-5ffdce74fad2",
  "{019cadd3-7fc0-7af2-9132-9b2fc82e5efe}",
];
const NOT_OF_FORMAT: Record<string, readonly string[]> = { date: NO_DATES, "date-time": NO_TIMES, uuid: NO_IDS };
/** Out of a double's range, or with more digits than it stores. */
const NO_NUMBERS = ["1e400", "-1e999", "12345678901234567890", "9007199254740993", "1.0000000000000000000001"].map(
  written,
);

const SAMPLES: Record<string, readonly unknown[]> = {
  null: [null],
  boolean: [true, false],
  string: ["x", "1", "true", "null"],
  number: [1.5, -0.1],
  integer: [1, 0],
  array: [[], [1], [null]],
  object: [{}, { a: 1 }],
};

/** Values that a schema does not allow, each wrong in one place. */
export function brokenOf(schema: JsonSchema, terms: Terms, name = ""): fc.Arbitrary<unknown> {
  const constants = [...wrongTypes(schema), ...wrongTexts(schema), ...wrongNumbers(schema), ...terms.trap(name)];
  if (schema.oneOf)
    return fc.oneof(fc.constantFrom(...constants), ...schema.oneOf.map((each) => brokenOf(each, terms)));
  const types = typesOf(schema);
  if (types.length === 0) return fc.oneof(fc.constantFrom(...UNSTORABLE, nested(100), ...NO_NUMBERS, dangerous()));
  const inside = types.includes("object")
    ? brokenObjects(schema, terms)
    : types.includes("array")
      ? brokenLists(schema, terms)
      : [];
  return fc.oneof(fc.constantFrom(...constants), ...inside.map((arbitrary) => ({ weight: 4, arbitrary })));
}

/** Nested objects, deeper than any valid body. */
function nested(depth: number): unknown {
  return depth === 0 ? 1 : { a: nested(depth - 1) };
}

/** A name that JavaScript libraries do not treat as an ordinary property. */
function dangerous(): unknown {
  return Object.fromEntries([["__proto__", { a: 1 }]]);
}

function wrongTypes(schema: JsonSchema): unknown[] {
  const allowed = typesOf(schema);
  if (allowed.length === 0) return [];
  const isAllowed = (type: string) => allowed.includes(type) || (type === "integer" && allowed.includes("number"));
  return Object.entries(SAMPLES).flatMap(([type, values]) => (isAllowed(type) ? [] : values));
}

function wrongTexts(schema: JsonSchema): unknown[] {
  if (!typesOf(schema).includes("string")) return [];
  const [first] = schema.enum ?? [schema.const];
  if (first !== undefined) return ["", "no such value", "constructor", String(first).toUpperCase()];
  const { minLength = 0, maxLength, format = "", pattern } = schema;
  return [
    ...UNSTORABLE,
    ...(minLength > 0 ? [""] : []),
    ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1), "🔑".repeat(maxLength + 1)]),
    ...(NOT_OF_FORMAT[format] ?? []),
    ...(pattern === undefined
      ? []
      : [" ", "eur", "EURO", "E", "€€€", "EUR\n"].filter((text) => !new RegExp(pattern, "u").test(text))),
  ];
}

function wrongNumbers(schema: JsonSchema): unknown[] {
  const types = typesOf(schema);
  const { minimum, maximum } = schema;
  if (!types.includes("integer") && !types.includes("number")) return [];
  const bounds = [...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1])];
  return [...bounds, ...NO_NUMBERS, ...(types.includes("number") ? [] : [0.5])];
}

function brokenObjects(schema: JsonSchema, terms: Terms): fc.Arbitrary<unknown>[] {
  const { properties = {}, required = [], additionalProperties, propertyNames, anyOf } = schema;
  const whole = valueOf(schema, terms.meaning) as fc.Arbitrary<Record<string, unknown>>;
  const put = (names: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
    fc
      .tuple(whole, names, value)
      .map(([object, name, part]) => Object.fromEntries([...Object.entries(object), [name, part]]));
  const unknown = fc.constantFrom(
    "no_such_field",
    "Name",
    "constructor",
    "toString",
    "organization_id",
    "id ",
    "created_at",
    "__proto__",
    "",
    "a/b~c",
  );
  const isStrict = additionalProperties === false;
  const names = Object.keys(properties).filter((name) => properties[name]?.not === undefined);
  return [
    ...(isStrict
      ? [
          put(
            unknown.filter((name) => !Object.hasOwn(properties, name)),
            fc.constantFrom(1, "x", null, {}),
          ),
        ]
      : []),
    ...(propertyNames?.maxLength
      ? [put(fc.constantFrom("", "x".repeat(propertyNames.maxLength + 1)), fc.constant(1))]
      : []),
    ...(typeof additionalProperties === "object"
      ? [
          put(
            fc.constant("a"),
            fc.constant({}).chain(() => brokenOf(additionalProperties, terms)),
          ),
        ]
      : []),
    ...(required.length > 0
      ? [fc.tuple(whole, fc.constantFrom(...required)).map(([object, name]) => without(object, new Set([name])))]
      : []),
    ...(anyOf ? [whole.map((object) => without(object, new Set(anyOf.flatMap((group) => group.required))))] : []),
    ...names.map((name) => put(fc.constant(name), brokenOf(properties[name] ?? {}, terms, name))),
  ];
}

function without(object: Record<string, unknown>, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}

function brokenLists(schema: JsonSchema, terms: Terms): fc.Arbitrary<unknown>[] {
  const { items = {}, minItems = 0, maxItems } = schema;
  const item = valueOf(items, terms.meaning);
  const around = fc.array(item, { maxLength: 3 });
  return [
    fc.tuple(around, brokenOf(items, terms), around).map(([before, wrong, after]) => [...before, wrong, ...after]),
    ...(minItems > 0 ? [fc.constant([])] : []),
    ...(maxItems === undefined ? [] : [item.map((each) => Array.from({ length: maxItems + 1 }, () => each))]),
  ];
}
