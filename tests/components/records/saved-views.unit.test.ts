import { expect, test } from "vitest";

import { withChanges } from "@/components/records/list/saved-views/saved-views-dialog";

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
