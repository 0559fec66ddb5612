import { expect, test } from "vitest";

import { shorten } from "@/components/records/record";

test("a title is cut between characters, however many code units they have", () => {
  for (const character of ["😬", "👩‍👩‍👧", "é", "🇩🇪"]) {
    expect(shorten(character.repeat(95))).toBe(`${character.repeat(90)}…`);
    expect(shorten(character.repeat(90))).toBe(character.repeat(90));
  }
  expect(shorten(" a\n b ")).toBe("a b");
  expect(shorten("\n")).toBe("(no text)");
});
