import { expect, test } from "vitest";

import {
  keyOf,
  withChanges,
  withPutBack,
  withRenamed,
  withView,
} from "@/components/records/list/saved-views/saved-views-dialog";

const view = (name: string, is_shared = false) => ({ name, query: "q=ada", is_shared });

test("a view that is shared while it is being renamed keeps its new name, and is shared", () => {
  const renamed = withChanges([view("Mine"), view("Other")], ["Mine", "Mine"], { name: "Ada's" });
  expect(withChanges(renamed, ["Mine", "Ada's"], { name: "Ada's", is_shared: true })).toEqual([
    view("Ada's", true),
    view("Other"),
  ]);
});

test("one that is renamed while it is being shared stays shared", () => {
  const shared = withChanges([view("Mine")], ["Mine", "Mine"], { name: "Mine", is_shared: true });
  expect(withChanges(shared, ["Mine", "Mine"], { name: "Ada's" })).toEqual([view("Ada's", true)]);
});

test("one whose new name was refused, since another has it, is the one that is deleted", () => {
  expect(withChanges([view("Mine"), view("Other")], ["Mine", "Other"], null)).toEqual([view("Other")]);
});

test("what was deleted meanwhile is not there again", () => {
  expect(withChanges([view("Other")], ["Mine", "Ada's"], { name: "Ada's" })).toEqual([view("Other")]);
});

test("a deleted view that is put back is shared as it was; one that is replaced stays as shared as it is", () => {
  expect(withPutBack([view("Other")], view("Mine", true))).toEqual([view("Other"), view("Mine", true)]);
  expect(withView([view("Mine", true)], { name: "Mine", query: "q=new" })).toEqual([
    { ...view("Mine", true), query: "q=new" },
  ]);
  expect(withView([], { name: "Mine", query: "q=ada" })).toEqual([view("Mine")]);
});

test("the row of a view that is renamed stays the same, until another view has the name that it began with", () => {
  const once = withRenamed(new Map(), ["Mine", "Mine"], "Ada's");
  expect(keyOf(once, ["Mine", "Other"], "Mine")).toBe("Mine");
  expect(keyOf(once, ["Ada's", "Other"], "Ada's")).toBe("Mine");
  const again = withRenamed(once, ["Mine", "Ada's"], "Zoe's");
  expect(keyOf(again, ["Ada's", "Other"], "Ada's")).toBe("Mine");
  expect(keyOf(again, ["Zoe's", "Other"], "Zoe's")).toBe("Mine");
  expect(keyOf(again, ["Mine", "Zoe's"], "Zoe's")).toBe("Zoe's");
});

test("two rows never share a key, whatever their views were called", () => {
  const other = withRenamed(withRenamed(new Map(), ["Mine", "Mine"], "Ada's"), ["Mine", "Mine"], "Zoe's");
  const names = ["Ada's", "Zoe's"];
  expect(names.map((name) => keyOf(other, names, name))).toEqual(["Ada's", "Mine"]);
});

test("a deleted view is not put back over a newer one of its name", () => {
  const newer = { ...view("Mine"), query: "q=new" };
  expect(() => withPutBack([newer], view("Mine"))).toThrow("You have saved another view as “Mine” meanwhile");
});
