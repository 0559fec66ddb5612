import { MantineProvider } from "@mantine/core";
import { notifications, notificationsStore } from "@mantine/notifications";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Problem } from "@/components/api/problem";
import { showUndo, takeBack } from "@/components/ui/feedback/show-undo";

beforeEach(() => {
  vi.stubGlobal("window", new EventTarget());
  notifications.clean();
});

afterEach(() => {
  vi.unstubAllGlobals();
  notifications.clean();
});

function shown() {
  const { notifications: first, queue } = notificationsStore.getState();
  return [...first, ...queue];
}

const textOf = (message: React.ReactNode) =>
  renderToStaticMarkup(<MantineProvider>{message}</MantineProvider>).replaceAll(/<style.*?<\/style>|<[^>]*>/gs, "");

/** Whether the browser would ask before the page is closed. */
function isHeld(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

/** What was done, and an undo that is under way until it is told how it ended. */
function begin() {
  const ended = Promise.withResolvers<void>();
  const undo = (tell: (progress: string) => void) => {
    tell("Restoring 120 of 2,000");
    return ended.promise;
  };
  showUndo({ title: "2,000 contacts deleted", message: "They can be restored.", undo, undone: "Restored" });
  const id = shown()[0]?.id ?? "";
  return { ended, taken: takeBack(id, undo, "Restored") };
}

test("an undo that takes long says in place of its button how far it is, and holds the page", async () => {
  const { ended, taken } = begin();
  expect(shown()).toMatchObject([{ title: "2,000 contacts deleted", loading: true, autoClose: false }]);
  expect(textOf(shown()[0]?.message)).toBe("Restoring 120 of 2,000");
  expect(isHeld()).toBe(true);
  ended.resolve();
  await taken;
  expect(shown().map(({ message }) => message)).toEqual(["Restored"]);
  expect(isHeld()).toBe(false);
});

test("an undo that is refused says why, and holds the page no longer", async () => {
  const { ended, taken } = begin();
  ended.reject(new Problem({ title: "Not restored", detail: "The account is gone.", code: "conflict" }));
  await taken;
  expect(shown()).toMatchObject([{ title: "Not restored" }]);
  expect(isHeld()).toBe(false);
});
