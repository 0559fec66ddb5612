import { expect, test } from "vitest";

import { withKey } from "@/components/shell/palette/typed-early";
import { initialsOf } from "@/components/shell/user-button";
import { once } from "@/components/ui/form/once";

test.each([
  ["Ada Lovelace", "AL"],
  ["ada", "A"],
  ["Ada (Admin)", "AA"],
  ["Émile O'Hara-Müller von", "ÉO"],
  ["<b>Eve</b>", "BE"],
  ["42", ""],
])("the initials of %s are %s: letters only", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("what is typed before the palette is there is the text that its field would have", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  const keys = ["a", "u", "x", "Backspace", "Shift", "d", "i", "ArrowLeft", "t"];
  const typed = keys.reduce((text, key) => withKey(text, { ...plain, key }) ?? text, "");
  expect(typed).toBe("audit");
  expect(withKey("a", { ...plain, key: "k", ctrlKey: true })).toBeNull();
  expect(withKey("a", { ...plain, key: "@", ctrlKey: true, altKey: true })).toBe("a@");
});

test("a double-click does once what a click does", () => {
  let count = 0;
  const onClick = once(() => count++);
  for (const detail of [1, 2]) onClick({ detail });
  expect(count).toBe(1);
  // By keyboard.
  onClick({ detail: 0 });
  expect(count).toBe(2);
});
