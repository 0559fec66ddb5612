import { expect, test } from "vitest";

import { setList } from "@/lib/migration/objects/related-lists";

function listOf(items: readonly unknown[], most?: number): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  setList(fields, "Files", items, most);
  return fields;
}

test("a list keeps its first items, cleaned, and says how many there are beyond", () => {
  const items = ["a\0", "b", "c"].map((name) => ({ name }));
  expect(listOf(items)).toEqual({ Files: [{ name: "a" }, { name: "b" }, { name: "c" }] });
  expect(listOf(items, 2)).toEqual({ Files: [{ name: "a" }, { name: "b" }], "Files.More": 1 });
  expect(listOf([])).toEqual({ Files: [] });
});

test("a list without a number of items is bounded by its characters, as others are", () => {
  const items = ["a".repeat(60_000), "b".repeat(30_000), "c".repeat(20_000), "d"];
  expect(listOf(items)).toEqual({ Files: items.slice(0, 2), "Files.More": 2 });
});
