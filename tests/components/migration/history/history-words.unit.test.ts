import { describe, expect, it } from "vitest";

import { changesOf, detailOf, EVENTS } from "@/components/migration/history/history-words";
import type { HistoryEntry } from "@/lib/migration/history/history-schema";

const NONE = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, deleted: 0 };

function entry(of: Partial<HistoryEntry>): HistoryEntry {
  return {
    id: "01900000-0000-7000-8000-000000000001",
    created_at: "2026-05-06T12:04:10.000Z",
    event: "run_started",
    run_number: 1,
    run_kind: "full",
    object: null,
    user_id: null,
    user_name: null,
    reason: null,
    remedy: null,
    counts: null,
    every_minutes: null,
    ...of,
  };
}

const titleOf = (of: Partial<HistoryEntry>) => EVENTS[of.event ?? "run_started"].title(entry(of));

describe("the history of a migration in words", () => {
  it("names runs, deltas and retries, and says who started a delta", () => {
    expect(titleOf({})).toBe("Migration started");
    expect(titleOf({ run_number: 3 })).toBe("Run 3 started");
    expect(titleOf({ run_kind: "delta" })).toBe("Scheduled delta started");
    expect(titleOf({ run_kind: "delta", user_id: "01900000-0000-7000-8000-000000000002" })).toBe("Delta started");
    expect(titleOf({ run_kind: "retry" })).toBe("Retry of what failed started");
    expect(titleOf({ event: "object_finished", object: "Account" })).toBe("Accounts finished");
    expect(titleOf({ event: "fields_hidden", object: "Account" })).toBe("Fields of Accounts cannot be read");
    expect(titleOf({ event: "deletions_unknown", object: "Account" })).toBe(
      "Some deletions of Accounts may be missing",
    );
    expect(titleOf({ event: "delta_scheduled", every_minutes: 240 })).toBe("Deltas scheduled every 4 hours");
    expect(titleOf({ event: "delta_scheduled", every_minutes: 60 })).toBe("Deltas scheduled every hour");
  });

  it("ends in the same form as it begins, whatever has ended", () => {
    expect(titleOf({ event: "completed", run_number: 2 })).toBe("Run 2 completed");
    expect(titleOf({ event: "completed", run_kind: "delta" })).toBe("Delta completed");
    expect(titleOf({ event: "completed_with_errors", run_kind: "retry" })).toBe("Retry completed, with failed records");
    expect(titleOf({ event: "failed", run_number: 1 })).toBe("Run 1 stopped");
  });

  it("tells outcomes of a run, what a delta changed, and what a retry left", () => {
    const counts = { ...NONE, created: 1200, skipped: 54, failed: 3 };
    expect(detailOf(entry({ event: "completed", counts }))).toBe("1,200 created, 54 skipped, 3 failed");
    expect(detailOf(entry({ event: "completed", run_kind: "retry", counts }))).toBe("3 records still failed.");
    expect(changesOf({ ...NONE, skipped: 54, updated: 1, deleted: 2 })).toBe("1 updated, 2 deleted");
    expect(changesOf({ ...NONE, unchanged: 4 })).toBe("Nothing had changed.");
    expect(changesOf({ ...NONE, unchanged: 4, skipped: 3 })).toBe("No change was migrated.");
  });

  it("tells why something happened, and what to do", () => {
    expect(detailOf(entry({ event: "paused", reason: "Refused.", remedy: "Connect again." }))).toBe(
      "Refused. Connect again.",
    );
    expect(detailOf(entry({ event: "paused" }))).toBe("");
    expect(detailOf(entry({ event: "worker_replaced" }))).toContain("Nothing is imported twice");
  });
});
