import { expect, test } from "vitest";
import { z } from "zod";

import type { AppError } from "@/lib/errors";
import { parseInput } from "@/lib/input/parse-input";

const schema = z.strictObject({ name: z.string(), address: z.strictObject({ "a/b": z.string() }).optional() });

function refusalOf(input: unknown, given: z.ZodType = schema): AppError {
  try {
    parseInput(given, input, "Have another look.");
  } catch (error) {
    return error as AppError;
  }
  throw new Error("It was not refused.");
}

test("valid input is returned parsed", () => {
  expect(parseInput(schema, { name: "Drill" }, "Have another look.")).toEqual({ name: "Drill" });
});

test("every invalid field has a pointer (RFC 6901)", () => {
  const refusal = refusalOf({ name: 1, address: { "a/b": 2, "c~d": 3 } });
  expect(refusal).toMatchObject({ code: "invalid_request", message: "Have another look." });
  expect(refusal.errors.map(({ pointer }) => pointer).toSorted()).toEqual(["/address/a~1b", "/address/c~0d", "/name"]);
});

test.each(["constructor", "hasOwnProperty", "toString", "__proto__"])(
  "`%s` is an unknown field like any other",
  (name) => {
    const refusal = refusalOf(JSON.parse(`{"name":"Drill","${name}":{"admin":true}}`));
    expect(refusal.errors).toEqual([
      { pointer: `/${name}`, code: "unknown_field", detail: `\`${name}\` is not known here.` },
    ]);
  },
);

test.each<[z.ZodType, object]>([
  ...[
    z.strictObject({ close_date: z.string() }).exactOptional(),
    z.strictObject({ close_date: z.string() }).optional(),
    z.strictObject({ close_date: z.string() }).nullable(),
    z.strictObject({ close_date: z.string() }).default({ close_date: "" }),
    z.strictObject({ close_date: z.string().default("") }).prefault({}),
  ].map((deal): [z.ZodType, object] => [z.strictObject({ deal }), { deal: { close_dat: 1 } }]),
  [
    z.discriminatedUnion("action", [
      z.strictObject({ action: z.literal("create"), closed: z.string() }),
      z.strictObject({ action: z.literal("close"), close_date: z.string() }),
    ]),
    { action: "close", close_dat: 1 },
  ],
])(
  "an unknown name below the top, or in one of several objects, is refused with the most similar one",
  (given, input) => {
    const unknown = refusalOf(input, given).errors.find(({ code }) => code === "unknown_field");
    expect(unknown?.detail).toBe("`close_dat` is not known here; did you mean `close_date`?");
  },
);

test("an input with thousands of faults is refused with a hundred", () => {
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, 1]));
  expect(refusalOf({ name: "Drill", ...unknown }).errors).toHaveLength(100);
});

test("a name of a megabyte is truncated in the refusal", () => {
  const long = "~".repeat(1024 * 1024);
  for (const given of [schema, z.record(z.string(), z.string())]) {
    expect(JSON.stringify(refusalOf({ [long]: 1 }, given).errors).length).toBeLessThan(1_500);
  }
});

const many = z.strictObject({
  name: z.string().min(2).max(4),
  size: z.int().min(1).max(1_000).optional(),
  on: z.boolean().optional(),
  kind: z.enum(["task", "event"]).optional(),
  always: z.literal("yes").optional(),
  tags: z.array(z.string()).max(1).optional(),
  mail: z.email().optional(),
  day: z.iso.date("Write a date like 2026-12-31.").optional(),
  even: z.number().multipleOf(2).optional(),
  more: z.record(z.string().min(1, "A name must not be empty."), z.string()).optional(),
  item: z.discriminatedUnion("action", [z.object({ action: z.literal("create") })]).optional(),
  ours: z
    .string()
    .refine(() => false, { error: "It is taken.", params: { code: "taken" } })
    .optional(),
  odd: z
    .string()
    .refine(() => false)
    .optional(),
});

test.each([
  [{}, "required", "`name` is needed."],
  [{ name: null }, "invalid_type", "`name` must be a text, not null."],
  [{ name: ["x"] }, "invalid_type", "`name` must be a text, not a list."],
  [{ name: "x" }, "too_short", "`name` must have at least 2 characters."],
  [{ name: "xxxxx" }, "too_long", "`name` must have at most 4 characters."],
  [{ name: "xx", size: 1.5 }, "invalid_type", "`size` must be a whole number, not a fraction."],
  [{ name: "xx", size: 0 }, "out_of_range", "`size` must be at least 1."],
  [{ name: "xx", size: 1_001 }, "out_of_range", "`size` must be at most 1,000."],
  [{ name: "xx", on: "true" }, "invalid_type", "`on` must be true or false, not a text."],
  [{ name: "xx", kind: "tsk" }, "invalid_value", "`kind` must be one of `task`, `event`; did you mean `task`?"],
  [{ name: "xx", always: "no" }, "invalid_value", "`always` must be `yes`."],
  [{ name: "xx", tags: ["a", "b"] }, "too_long", "`tags` must have at most 1 entry."],
  [{ name: "xx", tags: [1] }, "invalid_type", "This must be a text, not a number."],
  [{ name: "xx", mail: "ada" }, "invalid_format", "`mail` must be written as an e-mail address, like ada@example.com."],
  [{ name: "xx", day: "soon" }, "invalid_format", "Write a date like 2026-12-31."],
  [{ name: "xx", even: 3 }, "invalid_value", "`even` must be a multiple of 2."],
  [{ name: "xx", more: { "": "x" } }, "too_short", "A name must not be empty."],
  [{ name: "xx", more: { a: 1 } }, "invalid_type", "`a` must be a text, not a number."],
  [{ name: "xx", item: {} }, "required", "`action` is needed."],
  [{ name: "xx", item: { action: "do" } }, "invalid_value", "`action` is not allowed; its description says what is."],
  [{ name: "xx", ours: "x" }, "taken", "It is taken."],
  [{ name: "xx", odd: "x" }, "invalid_value", "`odd` is not allowed; its description says what is."],
])("%j is refused in our own words", (input, code, detail) => {
  expect(refusalOf(input, many).errors).toMatchObject([{ code, detail }]);
});
