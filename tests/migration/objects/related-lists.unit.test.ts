import { expect, test } from "vitest";

import { setList } from "@/lib/migration/objects/related-lists";

function listOf(items: readonly unknown[], most = 10): Record<string, unknown> {
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
