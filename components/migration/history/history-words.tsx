import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCalendarOff,
  IconCalendarRepeat,
  IconCheck,
  IconCircleCheck,
  IconClockPause,
  IconEyeOff,
  IconInfoCircle,
  type IconProps,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlugConnected,
  IconRefresh,
  IconReportSearch,
} from "@tabler/icons-react";
import type { ComponentType } from "react";

import { formatCount, formatInterval, formatNumber } from "@/components/ui/text/format";
import type { HistoryCounts, HistoryEntry, HistoryEvent } from "@/lib/migration/history/history-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";

interface EventLook {
  icon: ComponentType<IconProps>;
  color: "gray" | "pine" | "amber" | "rust" | "sky";
  title: (entry: HistoryEntry) => string;
}

const RUN_NAMES = { delta: "Delta", retry: "Retry" } as const;

const runName = ({ run_kind, run_number }: HistoryEntry) =>
  run_kind === "full" ? `Run ${run_number}` : RUN_NAMES[run_kind];

function startOf({ run_kind, run_number, user_id }: HistoryEntry): string {
  if (run_kind === "retry") return "Retry of what failed started";
  if (run_kind === "delta") return user_id === null ? "Scheduled delta started" : "Delta started";
  return run_number > 1 ? `Run ${run_number} started` : "Migration started";
}

/** How each kind of event looks, and what it says. */
export const EVENTS: Record<HistoryEvent, EventLook> = {
  analyzed: { icon: IconReportSearch, color: "pine", title: () => "Analysis finished" },
  analysis_failed: { icon: IconAlertTriangle, color: "rust", title: () => "Analysis failed" },
  run_started: { icon: IconPlayerPlay, color: "sky", title: startOf },
  fields_hidden: {
    icon: IconEyeOff,
    color: "amber",
    title: ({ object }) => `Fields of ${object === null ? "an object" : objectName(object)} cannot be read`,
  },
  object_finished: {
    icon: IconCheck,
    color: "pine",
    title: ({ object }) => `${object === null ? "An object" : objectName(object)} finished`,
  },
  deletions_unknown: {
    icon: IconEyeOff,
    color: "amber",
    title: ({ object }) => `Some deletions of ${object === null ? "an object" : objectName(object)} may be missing`,
  },
  waiting: { icon: IconClockPause, color: "amber", title: () => "Waiting for Salesforce" },
  went_on: { icon: IconPlayerPlay, color: "sky", title: () => "Salesforce answers again" },
  worker_replaced: { icon: IconRefresh, color: "amber", title: () => "Went on after an interruption" },
  paused: { icon: IconPlayerPause, color: "amber", title: () => "Paused" },
  resumed: { icon: IconPlayerPlay, color: "sky", title: () => "Resumed" },
  reconnected: { icon: IconPlugConnected, color: "pine", title: () => "Connected again" },
  completed: { icon: IconCircleCheck, color: "pine", title: (entry) => `${runName(entry)} completed` },
  completed_with_errors: {
    icon: IconAlertTriangle,
    color: "amber",
    title: (entry) => `${runName(entry)} completed, with failed records`,
  },
  failed: { icon: IconAlertTriangle, color: "rust", title: (entry) => `${runName(entry)} stopped` },
  cancelled: { icon: IconPlayerStop, color: "gray", title: () => "Cancelled" },
  delta_scheduled: {
    icon: IconCalendarRepeat,
    color: "pine",
    title: ({ every_minutes: minutes }) => `Deltas scheduled ${formatInterval(minutes ?? 0)}`,
  },
  delta_unscheduled: { icon: IconCalendarOff, color: "gray", title: () => "Schedule of deltas removed" },
  delta_refused: { icon: IconAlertTriangle, color: "rust", title: () => "A scheduled delta could not start" },
  undo_started: { icon: IconArrowBackUp, color: "sky", title: () => "Undo started" },
  undo_failed: { icon: IconAlertTriangle, color: "rust", title: () => "Undo stopped" },
  undone: { icon: IconArrowBackUp, color: "gray", title: () => "Undone" },
};

/** How an entry looks. A newer release may tell of events that this page, which is still open, does not know. */
export function lookOf({ event }: HistoryEntry): EventLook {
  const known: Partial<Record<string, EventLook>> = EVENTS;
  return known[event] ?? { icon: IconInfoCircle, color: "gray", title: () => event.replaceAll("_", " ") };
}

/** What is said below the title; empty if there is nothing. */
export function detailOf({ event, run_kind: kind, counts, reason, remedy }: HistoryEntry): string {
  if (counts) return WORDS[kind](counts);
  if (reason !== null) return [reason, remedy].filter(Boolean).join(" ");
  return event === "worker_replaced" ? "It goes on from the last stored page. Nothing is imported twice." : "";
}

/** The outcomes of a run in words. A delta and a retry count on from the runs before. */
const WORDS: Record<HistoryEntry["run_kind"], (counts: HistoryCounts) => string> = {
  full: (counts) => listOf(counts) || "There are none.",
  delta: changesOf,
  retry: leftBy,
};

/** What a retry has left of the objects that it read. */
export function leftBy({ failed }: Pick<HistoryCounts, "failed">): string {
  return failed === 0
    ? "Nothing that was read again fails any more."
    : `${formatCount(failed, "record")} still failed.`;
}

/** What a delta has changed here: "3 created, 12 updated". What it skipped had changed, or was skipped before. */
export function changesOf({ created, updated, deleted, failed, skipped }: HistoryCounts): string {
  const none = skipped > 0 ? "No change was migrated." : "Nothing had changed.";
  return listOf({ created, updated, deleted, failed }) || none;
}

/** Without outcomes that are zero: "1,200 created, 3 failed". */
function listOf(counts: Partial<HistoryCounts>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${formatNumber(count)} ${name}`)
    .join(", ");
}
