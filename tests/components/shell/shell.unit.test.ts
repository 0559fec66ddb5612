import { createElement } from "react";
import { afterEach, expect, test, vi } from "vitest";

import { ConnectionNotice } from "@/components/shell/connection-notice";
import { isShortcut } from "@/components/shell/palette/palette-button";
import { withKey } from "@/components/shell/palette/typed-early";
import {
  arriveAt,
  isNavigating,
  lastNavigation,
  MAX_BAR_MS,
  onRouterTransitionStart,
} from "@/components/shell/progress/navigations";
import { initialsOf } from "@/components/shell/user-button";
import { once } from "@/components/ui/form/once";
import { markupOf } from "@/tests/components/support/app-router";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

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

test("the notice of a lost connection is there, and empty, before: screen readers tell what changes", () => {
  expect(markupOf(createElement(ConnectionNotice))).toMatch(/<output[^>]*><\/output>/);
});

test("what is typed before the palette is there is the text that its field would have", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  const keys = ["a", "u", "x", "Backspace", "Shift", "d", "i", "ArrowLeft", "t"];
  const typed = keys.reduce((text, key) => withKey(text, { ...plain, key }) ?? text, "");
  expect(typed).toBe("audit");
  expect(withKey("a", { ...plain, key: "k", ctrlKey: true })).toBeNull();
  expect(withKey("a", { ...plain, key: "@", ctrlKey: true, altKey: true })).toBe("a@");
});

test.each([
  ["a Latin keyboard", "k", "KeyK", true],
  ["caps lock", "K", "KeyK", true],
  ["a Cyrillic keyboard", "л", "KeyK", true],
  ["a Hebrew keyboard", "ל", "KeyK", true],
  ["Dvorak", "k", "KeyV", true],
  ["Dvorak, where others have the K", "t", "KeyK", false],
  ["another key of a Cyrillic keyboard", "у", "KeyE", false],
])("the palette opens by Ctrl and the key that has the K: %s", (_, key, code, isK) => {
  const stroke = { key, code, ctrlKey: true, metaKey: false, shiftKey: false, altKey: false };
  expect(isShortcut(stroke)).toBe(isK);
  expect(isShortcut({ ...stroke, ctrlKey: false, metaKey: true })).toBe(isK);
  for (const other of [{ ctrlKey: false }, { shiftKey: true }, { altKey: true }])
    expect(isShortcut({ ...stroke, ...other })).toBe(false);
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

/** Begins to go to an address on the page of accounts. */
async function goTo(href: string): Promise<void> {
  arriveAt("/accounts?q=ada");
  onRouterTransitionStart(href, "push");
  expect(isNavigating(), "within the transition of React").toBe(false);
  await Promise.resolve();
}

test("a bar says that the next page is made until that is there, and not for a part of this page", async () => {
  vi.stubGlobal("window", { location: new URL("https://crm.example/accounts?q=ada") });
  await goTo("/accounts/1");
  expect(isNavigating()).toBe(true);
  arriveAt("/accounts/1?");
  expect(isNavigating()).toBe(false);
  await goTo("?q=ada#content");
  expect(isNavigating()).toBe(false);
});

test("a way back is told from others, with the page that it begins on", () => {
  vi.stubGlobal("window", { location: new URL("https://crm.example/accounts?q=ada") });
  arriveAt("/accounts?q=ada");
  onRouterTransitionStart("/accounts/1", "push");
  expect(lastNavigation()).toEqual({ from: "/accounts?q=ada", to: "/accounts/1?", isTraversal: false });
  arriveAt("/accounts/1?");
  onRouterTransitionStart("/accounts?q=ada", "traverse");
  expect(lastNavigation()).toEqual({ from: "/accounts/1?", to: "/accounts?q=ada", isTraversal: true });
  // Before the page of the account has told that it is there.
  arriveAt("/accounts?q=ada");
  onRouterTransitionStart("/accounts/1", "push");
  onRouterTransitionStart("/accounts?q=ada", "traverse");
  expect(lastNavigation()).toMatchObject({ to: "/accounts?q=ada", isTraversal: true });
});

test("the bar ends where a redirect has led back to the same page", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("window", { location: new URL("https://crm.example/accounts?q=ada") });
  await goTo("/accounts/1");
  vi.advanceTimersByTime(MAX_BAR_MS);
  expect(isNavigating()).toBe(false);
});
