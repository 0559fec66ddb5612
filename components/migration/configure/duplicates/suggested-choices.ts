import { comparedFields, type DuplicateChoices, suggestedRules } from "@/lib/migration/configuration/duplicate-rules";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";

/** Choices to begin with. `comparable`: the fields that rules can name. */
export function suggestedChoices(object: MigratedObjectName, comparable: readonly string[]): DuplicateChoices {
  const rules = suggestedRules(object).filter((rule) =>
    comparedFields([rule]).every((field) => comparable.includes(field)),
  );
  return { rules, compare_with: "everything", action: "update", survivor: "oldest", wins: "source", fields: {} };
}
