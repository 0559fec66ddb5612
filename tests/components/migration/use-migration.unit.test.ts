import { environmentManager, focusManager, QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { currentMigration } from "@/components/migration/use-migration";
import { MIGRATION_STATUSES, type MigrationStatus } from "@/lib/migration/migration-schema";

const ID = "01890000-0000-7000-8000-000000000000";

beforeEach(() => {
  vi.useFakeTimers();
  // Without a window, TanStack Query takes itself to be on a server and does not poll.
  environmentManager.setIsServer(() => false);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  environmentManager.setIsServer(() => true);
  focusManager.setFocused(undefined);
});

/** A page that shows the migration, and what it is elsewhere. */
function opened(status: MigrationStatus) {
  const elsewhere = { status, asked: 0 };
  vi.stubGlobal("fetch", async () => {
    elsewhere.asked += 1;
    return Response.json({ status: elsewhere.status });
  });
  const page = new QueryObserver(new QueryClient(), currentMigration(ID));
  page.subscribe(() => undefined);
  return { elsewhere, shown: () => page.getCurrentResult().data?.status };
}

test.each(MIGRATION_STATUSES)("a page on which a migration is %s follows what is done elsewhere", async (status) => {
  const { elsewhere, shown } = opened(status);
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toBe(status);
  elsewhere.status = status === "completed" ? "running" : "completed";
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown()).toBe(elsewhere.status);
});

test("a page that nobody sees asks for nothing", async () => {
  const { elsewhere } = opened("ready");
  await vi.advanceTimersByTimeAsync(0);
  focusManager.setFocused(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(elsewhere.asked).toBe(1);
});
