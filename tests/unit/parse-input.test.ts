import { expect, test } from "vitest";
import { z } from "zod";

import type { AppError } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";

const schema = z.strictObject({ name: z.string(), address: z.strictObject({ "a/b": z.string() }).optional() });

function refusalOf(input: unknown): AppError {
  try {
    parseInput(schema, input, "Have another look.");
  } catch (error) {
    return error as AppError;
  }
  throw new Error("It was not refused.");
}

test("what is valid is given back parsed", () => {
  expect(parseInput(schema, { name: "Drill" }, "Have another look.")).toEqual({ name: "Drill" });
});

test("every invalid field is pointed to as RFC 6901 has it", () => {
  const refusal = refusalOf({ name: 1, address: { "a/b": 2, "c~d": 3 } });
  expect(refusal).toMatchObject({ code: "invalid_request", message: "Have another look." });
  expect(refusal.errors.map(({ pointer }) => pointer).toSorted()).toEqual(["/address/a~1b", "/address/c~0d", "/name"]);
});

test.each(["constructor", "hasOwnProperty", "toString", "__proto__"])("`%s` is an unknown field like any other", (name) => {
  const refusal = refusalOf(JSON.parse(`{"name":"Drill","${name}":{"admin":true}}`));
  expect(refusal.errors).toEqual([{ pointer: `/${name}`, code: "unknown_field", detail: `\`${name}\` is not known here.` }]);
});

test("an input of thousands of faults is refused with a hundred", () => {
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, 1]));
  expect(refusalOf({ name: "Drill", ...unknown }).errors).toHaveLength(100);
});
