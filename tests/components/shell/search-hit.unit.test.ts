import { expect, test } from "vitest";

import { stillMatches } from "@/components/shell/palette/search-hit";

test.each([
  ["José Núñez", "JOSE nun", true],
  ["Γιώργος", "ΓΙΩΡΓΟΣ", true],
  ["\ufeffIda Bar\u00adnett", "ida barnett", true],
  ["Ada", "ida", false],
])("a hit named %j is kept for %j: %s, as the search would find it", (name, query, isKept) => {
  expect(stillMatches({ object: "accounts", id: "a", fields: { name } }, query)).toBe(isKept);
});
