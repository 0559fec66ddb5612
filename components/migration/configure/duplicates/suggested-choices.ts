import { type DuplicateChoices, suggestedRules } from "@/lib/migration/configuration/duplicate-rules";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";

/** Choices to begin with. */
export function suggestedChoices(object: MigratedObjectName): DuplicateChoices {
  const rules = suggestedRules(object);
  return { rules, compare_with: "everything", action: "update", survivor: "oldest", wins: "source", fields: {} };
}
