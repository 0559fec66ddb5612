import { comparedFields, type DuplicateChoices, suggestedRules } from "@/lib/migration/configuration/duplicate-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";

/** Choices to begin with. `comparable`: the fields that rules can name. */
export function suggestedChoices(object: SourceObjectName, comparable: readonly string[]): DuplicateChoices {
  const rules = suggestedRules(object).filter((rule) =>
    comparedFields([rule]).every((field) => comparable.includes(field)),
  );
  return { rules, compare_with: "everything", action: "update", survivor: "oldest", wins: "source", fields: {} };
}
