import { expect, test } from "vitest";

import { condition, keyExpression } from "@/inngest/engine/function-definition";

const event = { name: "e", data: { n: 1, text: "x", nothing: null, list: [1, 2] } };

test.each([
  ["event.data.n == 1", true],
  ["event.data.n == async.data.n", true],
  ["event.data.n > 1", false],
  ["event.data.text == 'x' && event.name == 'e'", true],
  ["event.data.nothing == null", true],
  ["2 in event.data.list", true],
  ["event.data.missing == 1", false],
  ["event.data.missing != 1", false],
  ["event.data.text", false],
])("the condition %s is %s", (source, holds) => {
  expect(condition(source)({ event, async: { data: { n: 1 } } })).toBe(holds);
});

test("no condition always holds", () => {
  expect(condition(undefined)({ event })).toBe(true);
});

test.each([
  ["event.data.text", "x"],
  ["event.data.n", "1"],
  ["event.data.text + '-' + event.name", "x-e"],
  ["event.data.n + 1.0", "2"],
  ["1 + 1", "2"],
  ["event.data.missing", "null"],
])("the key %s is %s", (source, key) => {
  expect(keyExpression(source)(event)).toBe(key);
});
