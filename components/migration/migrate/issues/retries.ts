import { type Outcome, whyNotWhole } from "@/components/migration/delta/deltas";

/**
 * A retry goes on from a run that has read everything, or from a retry that did not reach its end; after an undo that
 * may have taken records out, from neither.
 */
export function canRetry({ reconciled, run_kind: kind, outdated_by_undo: isOutdated }: Outcome): boolean {
  return reconciled === true || (kind === "retry" && !isOutdated);
}

/** What to do before a retry, or instead of one that would be refused. */
export function retryAdvice(outcome: Outcome, failed: string): string {
  if (canRetry(outcome))
    return (
      `Mend the causes in Salesforce or in the configuration first. A retry reads only the ${failed} that failed, ` +
      "without those of objects that are no longer selected; everything else stays as it is."
    );
  return (
    `${whyNotWhole(outcome)}, so no retry can start. Mend the causes in Salesforce or in the configuration, then run ` +
    "the migration again: nothing is imported twice."
  );
}
