import { array, assert, constantFrom, integer, property, string } from "fast-check";
import { expect, test } from "vitest";

import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { refusalOf } from "@/lib/mcp/refusal";
import { cutTexts, plainValue } from "@/lib/mcp/untrusted-text";

const [ZWNJ, ZWJ] = ["\u200C", "\u200D"];

test.each([
  ["Persian", `می${ZWNJ}خواهم`],
  ["Hindi", `क्${ZWJ}ष, क्${ZWNJ}ष`],
  ["Sinhala", `ශ්${ZWJ}රී ලංකා`],
  ["Malayalam, at the end of a word", `അവന്${ZWJ} വന്നു`],
  ["Arabic, an abbreviation", `١٤٤٥ ه${ZWJ}`],
  ["a family", `👩${ZWJ}👩${ZWJ}👧 came`],
  ["a person with a skin tone", `👩🏽${ZWJ}🚀`],
])("the joiners of %s stay, since they shape what is seen", (_, text) => {
  expect(plainValue(text)).toBe(text);
});

test.each([
  ["between Latin letters", `pay${ZWJ}ment${ZWNJ}s`, "payments"],
  ["alone", `${ZWJ}${ZWNJ}${ZWJ}`, ""],
  ["in a row, which spells something out", `می${ZWNJ}${ZWJ}${ZWNJ}${ZWNJ}خواهم`, "میخواهم"],
  ["after an emoji without another one", `👩${ZWJ}x`, "👩x"],
  ["of a kind that joins no emoji", `👩${ZWNJ}👧`, "👩👧"],
  ["among other invisible characters", `a\u{E0041}${ZWJ}\u200Bb`, "ab"],
])("joiners %s are removed", (_, text, seen) => {
  expect(plainValue([text])).toEqual([seen]);
});

test("a refusal that quotes the source has no invisible characters either", () => {
  const context = { requestId: newId(), organizationId: newId(), userId: newId(), clientId: null, address: null };
  const errors = [{ pointer: "/name", code: "taken", detail: "It is\u200B taken." } as const];
  const refusal = new AppError("conflict", "It was made as ada\u{E0041}\u202E@acme.example.", { errors });
  expect(refusalOf(refusal, { ...context, role: "admin", scopes: new Set() }, "run_migration")).toBe(
    "It was made as ada@acme.example. (conflict)\nname: It is taken.",
  );
});

const PARTS = ["a", "é", "م", "ی", "क", "्", "👩", "👧", "🏽", " ", "7", ZWJ, ZWNJ, "\u200B", "\u{E0041}", "\uFE0F"];

test("of any text, what stays is visible, and a joiner only where it shapes its neighbours", () => {
  const shaped = new Set(["م", "ی", "क", "्"]);
  const emoji = ["👩", "👧"];
  assert(
    property(array(constantFrom(...PARTS), { maxLength: 40 }), (parts) => {
      const seen = [...(plainValue([parts.join("")]) as [string])[0]];
      expect(seen.filter((character) => ![ZWJ, ZWNJ].includes(character))).toEqual(
        parts.filter((part) => ![ZWJ, ZWNJ, "\u200B", "\u{E0041}", "\uFE0F"].includes(part)),
      );
      for (const [index, character] of seen.entries()) {
        if (![ZWJ, ZWNJ].includes(character)) continue;
        const [before = "", after = ""] = [seen[index - 1], seen[index + 1]];
        const joinsEmoji = character === ZWJ && [...emoji, "🏽"].includes(before) && emoji.includes(after);
        expect(shaped.has(before) || joinsEmoji).toBe(true);
        expect([ZWJ, ZWNJ]).not.toContain(after);
      }
    }),
    { numRuns: 2000 },
  );
});

test("a long text is read whole, part by part, at the places that the parts name", () => {
  assert(
    property(string({ unit: "binary", maxLength: 400 }), integer({ min: 10, max: 60 }), (text, max) => {
      const whole = plainValue([text], Infinity) as [string];
      let read = "";
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const [part] = plainValue([text], max, offset) as [string];
        expect(cutTexts(part)).toHaveLength(part === whole[0] ? 0 : 1);
        read += part.replace(/^\[continued at \d+\] …/, "").replace(/… \[cut at \d+ of \d+ characters\]$/, "");
        const cut: string | undefined = /\[cut at (\d+) of \d+ characters\]$/.exec(part)?.[1];
        offset = cut === undefined ? undefined : Number(cut);
      }
      expect(read).toBe(whole[0]);
    }),
    { numRuns: 500 },
  );
});

test("a part that is cut again still says where it stands in the whole text", () => {
  const text = "0123456789".repeat(10);
  const part = plainValue(text, 40, 30);
  expect(part).toBe(`[continued at 30] …${text.slice(30, 70)}… [cut at 70 of 100 characters]`);
  expect(plainValue(part, 15)).toBe(`[continued at 30] …${text.slice(30, 45)}… [cut at 45 of 100 characters]`);
});
