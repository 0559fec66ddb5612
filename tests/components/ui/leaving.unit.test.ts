import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { guardLeaving, type Leave, leaveFor, stopGuarding } from "@/components/ui/leave/leaving";
import { isPageBefore } from "@/components/ui/leave/use-go-back";

const HERE = "https://crm.example/cases/1";

let went: string[] = [];
let asked: string[] = [];
let caught: Leave | null = null;

beforeEach(() => {
  [went, asked, caught] = [[], [], null];
  vi.stubGlobal("window", Object.assign(new EventTarget(), { location: new URL(HERE) }));
});

afterEach(() => {
  stopGuarding();
  vi.unstubAllGlobals();
});

const guard = (what: string) =>
  guardLeaving({
    what,
    ask: (leave, lost) => {
      asked.push(lost);
      caught = leave;
    },
  });

const goTo = (path: string) => leaveFor(path, () => void went.push(path));

const isUnloadAsked = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

test("a page with several forms asks once, about all that is unsaved", () => {
  guard("The words of your comment");
  guard("The words of your activity");
  goTo("/products");
  expect(went).toEqual([]);
  expect(asked).toEqual(["The words of your comment and the words of your activity"]);
  expect(isUnloadAsked()).toBe(true);
});

test("who agrees goes, and is asked nothing more", () => {
  guard("The words of your comment");
  guard("The words of your activity");
  goTo("/products");
  stopGuarding();
  (caught as { go: () => void } | null)?.go();
  goTo("/accounts");
  expect(went).toEqual(["/products", "/accounts"]);
  expect(asked).toHaveLength(1);
  expect(isUnloadAsked()).toBe(false);
});

test("what is saved in one form leaves the guard of the other", () => {
  const release = guard("The words of your comment");
  guard("The words of your activity");
  release();
  goTo("/products");
  expect(asked).toEqual(["The words of your activity"]);
});

test("another part of the same page is no other page", () => {
  guard("The words of your comment");
  goTo("/cases/1?show=files");
  expect(went).toEqual(["/cases/1?show=files"]);
});

test("a form leads back in the history only where its reader has come from the page to which it leads", () => {
  expect(isPageBefore("/cases")).toBe(false);
  const entries = ["https://crm.example/cases?status=new", HERE].map((url, index) => ({ url, index }));
  const navigation = { entries: () => entries, currentEntry: entries[1] };
  Object.assign(window, { navigation });
  expect(isPageBefore("/cases")).toBe(true);
  expect(isPageBefore("/contacts")).toBe(false);
  navigation.currentEntry = entries[0];
  expect(isPageBefore("/cases")).toBe(false);
});
