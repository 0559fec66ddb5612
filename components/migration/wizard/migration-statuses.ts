import type { MigrationStatus } from "@/lib/migration/migration-schema";

export const STEPS = ["connect", "analyze", "report", "configure", "migrate"] as const;
export type Step = (typeof STEPS)[number];

export const STEP_NAMES: Record<Step, string> = {
  connect: "Connect",
  analyze: "Analyze",
  report: "Report",
  configure: "Configure",
  migrate: "Migrate",
};

interface StatusDescription {
  label: string;
  color: "gray" | "pine" | "amber" | "rust" | "sky";
  /** The step that shows what is to be seen or done. */
  step: Step;
  /** The status changes without the user, so pages poll it. */
  isLive: boolean;
  /** Every record is imported or has a reason: the last step is done. */
  isFinished?: boolean;
}

export const STATUSES: Record<MigrationStatus, StatusDescription> = {
  analyzing: { label: "Analyzing", color: "sky", step: "analyze", isLive: true },
  analysis_failed: { label: "Analysis failed", color: "rust", step: "analyze", isLive: false },
  ready: { label: "Ready to start", color: "pine", step: "report", isLive: false },
  running: { label: "Running", color: "sky", step: "migrate", isLive: true },
  paused: { label: "Paused", color: "amber", step: "migrate", isLive: false },
  completed: { label: "Completed", color: "pine", step: "migrate", isLive: false, isFinished: true },
  completed_with_errors: {
    label: "Completed, with failed records",
    color: "amber",
    step: "migrate",
    isLive: false,
    isFinished: true,
  },
  failed: { label: "Stopped by an error", color: "rust", step: "migrate", isLive: false },
  cancelled: { label: "Cancelled", color: "gray", step: "migrate", isLive: false },
  undoing: { label: "Being undone", color: "sky", step: "migrate", isLive: true },
  undone: { label: "Undone", color: "gray", step: "migrate", isLive: false },
};

/** Whether a run is in progress or paused, so its choices cannot be changed. */
export function isUnderWay(status: MigrationStatus): boolean {
  return STATUSES[status].isLive || status === "paused";
}

/** Whether `step` can be opened for a migration with `status`. A migration that exists is already connected. */
export function isOpen(step: Step, status: MigrationStatus): boolean {
  if (step === "connect") return false;
  return step === "analyze" || STATUSES[status].step !== "analyze";
}
