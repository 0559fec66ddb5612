import { expect, test } from "vitest";

import { suggest, boundedSuggest } from "@/lib/input/suggest";

const NAMES = ["limit", "cursor", "account_id", "contact_id", "id"];

test.each([
  ["limti", "limit"],
  ["lmit", "limit"],
  ["LIMIT", "limit"],
  ["cursors", "cursor"],
  ["acount_id", "account_id"],
  ["contat_id", "contact_id"],
  ["accountId", "account_id"],
  ["ids", "id"],
])("%s was meant to be %s", (name, meant) => {
  expect(suggest(name, NAMES)).toBe(meant);
});

test.each(["frobnicate", "", "x", "a".repeat(65), "sort"])("nothing is close to %j", (name) => {
  expect(suggest(name, NAMES)).toBeUndefined();
});

test.each(["x", ""])("a name of one letter is not a suggestion for %j", (name) => {
  expect(suggest(name, ["q"])).toBeUndefined();
});

test("without candidates nothing is close", () => {
  expect(suggest("limit", [])).toBeUndefined();
});

test("suggestions for one request end after ten names", () => {
  const suggest = boundedSuggest();
  const meant = Array.from({ length: 12 }, () => suggest("limti", NAMES));
  expect(meant).toEqual([...Array.from({ length: 10 }, () => "limit"), undefined, undefined]);
});

test("and earlier where there is much to compare", () => {
  const suggest = boundedSuggest();
  const names = Array.from({ length: 1000 }, (_, number) => `a_name_of_thirty_characters_${number}`);
  const meant = Array.from({ length: 3 }, () => suggest("a_nmae_of_thirty_characters_1", names));
  expect(meant).toEqual(["a_name_of_thirty_characters_1", "a_name_of_thirty_characters_1", undefined]);
});
