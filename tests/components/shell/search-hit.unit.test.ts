import { expect, test } from "vitest";

import { allFound, type SearchHit, stillMatches } from "@/components/shell/palette/search-hit";

const hit = (name: string): SearchHit => ({ object: "accounts", id: "a1", fields: { name } });

test.each([
  ["Łódź Tools", "lodz"],
  ["Sørensen", "sorensen"],
  ["Straße", "strasse"],
  ["Strasse", "straße"],
  ["Ærø", "aero"],
  ["Œuvre", "oeuv"],
  ["Đorđe Ħal ŧa", "dorde hal ta"],
  ["Diyarbakır", "diyarbakir"],
  ["ΟΔΟΣ", "οδοσ"],
  ["José Núñez", "JOSE nun"],
  ["\ufeffIda Bar\u00adnett", "ida barnett"],
])("a hit of an earlier query stays while the search finds it by more letters: %s by %s", (name, query) => {
  expect(stillMatches(hit(name), query)).toBe(true);
  expect(stillMatches(hit(name), `${query}x`)).toBe(false);
});

test("the rest of a kind is the list of what the words find", () => {
  expect(allFound("contacts", "miller & co")).toMatchObject({
    href: "/contacts?q=miller+%26+co",
    label: "All contacts with “miller & co”",
  });
});
