import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";

/** Whether the choices for any object of a run have duplicates treated so. */
function isChosen({ objects }: Configuration, action: DuplicateChoices["action"]): boolean {
  return Object.values(objects).some(
    (choices) => choices?.selected && choices.duplicates?.action === action && choices.duplicates.rules.length > 0,
  );
}

export function mergedByRules(saved: Configuration): boolean {
  return isChosen(saved, "update");
}

/** What a run does with duplicates, which the analysis has not taken off its counts; null: it imports them all. */
export function duplicatesInWords(saved: Configuration): string | null {
  const verbs = [isChosen(saved, "update") && "merged", isChosen(saved, "skip") && "skipped"].filter(Boolean);
  return verbs.length > 0
    ? `Duplicates that your rules find are ${verbs.join(" or ")}, so fewer records will be here.`
    : null;
}
