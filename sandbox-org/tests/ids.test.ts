import { expect, test } from "vitest";

import { firstOrdinalAfter, idAt, missingId, ordinalOf, to18 } from "@/sandbox-org/generator/ids";

const SEED = 7;
const ORDINALS = Array.from({ length: 5000 }, (_, i) => i * 197);

test("the three check letters after a 15-character id are the same as in Salesforce", () => {
  expect(to18("001M000000qfPyS")).toBe("001M000000qfPySIAU");
  expect(to18("001Da00000xnAiy")).toBe("001Da00000xnAiyIAE");
  expect(to18("0019H00000H1RMD")).toBe("0019H00000H1RMDQA3");
});

test("generated ids have the check letters of their first 15 characters", () => {
  for (const ordinal of ORDINALS) {
    const id = idAt(SEED, "003", ordinal);
    expect(id).toHaveLength(18);
    expect(to18(id.slice(0, 15))).toBe(id);
  }
});

test("ids ascend in ASCII order as ordinals do", () => {
  const ids = ORDINALS.map((ordinal) => idAt(SEED, "001", ordinal));
  expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids);
});

test("an id of 15 or 18 characters gives its ordinal", () => {
  for (const ordinal of ORDINALS) {
    const id = idAt(SEED, "500", ordinal);
    expect(ordinalOf(SEED, "500", id)).toBe(ordinal);
    expect(ordinalOf(SEED, "500", id.slice(0, 15))).toBe(ordinal);
    expect(ordinalOf(SEED, "001", id)).toBe(-1);
  }
});

test("a missing id belongs to no record and still has its place in the order", () => {
  for (const ordinal of ORDINALS) {
    const missing = missingId("001", ordinal);
    expect(ordinalOf(SEED, "001", missing)).toBe(-1);
    expect(idAt(SEED, "001", ordinal) < missing).toBe(true);
    expect(missing < idAt(SEED, "001", ordinal + 1)).toBe(true);
    expect(firstOrdinalAfter(SEED, "001", missing, false)).toBe(ordinal + 1);
  }
});

test("the first ordinal after an id is found for any id", () => {
  const id = idAt(SEED, "001", 500);
  expect(firstOrdinalAfter(SEED, "001", id, false)).toBe(501);
  expect(firstOrdinalAfter(SEED, "001", id, true)).toBe(500);
  expect(firstOrdinalAfter(SEED, "001", "000000000000000AAA", false)).toBe(0);
  expect(firstOrdinalAfter(SEED, "001", "zzzzzzzzzzzzzzzAAA", false)).toBe(Number.MAX_SAFE_INTEGER);
});

test("some ids differ only in case", () => {
  const lower = new Map<string, string>();
  const twins = ORDINALS.flatMap((_, ordinal) => {
    const id = idAt(SEED, "001", ordinal).slice(0, 15);
    const twin = lower.get(id.toLowerCase());
    lower.set(id.toLowerCase(), id);
    return twin === undefined ? [] : [[twin, id]];
  });
  expect(twins.length).toBeGreaterThan(100);
});
