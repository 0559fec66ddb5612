import type { DuplicateChoices, DuplicateRule } from "@/lib/migration/configuration/duplicate-rules";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";

/** By what most organizations recognize the same person or company. Criteria are the fields that have to agree. */
const SUGGESTED: Partial<Record<MigratedObjectName, readonly (readonly string[])[]>> = {
  Account: [["website"], ["name", "billing_city"]],
  Contact: [["email"], ["first_name", "last_name", "phone"]],
  Case: [["subject", "contact_id"]],
};

/** Rules to begin with. */
export function suggestedRules(object: MigratedObjectName): DuplicateChoices {
  const rules = (SUGGESTED[object] ?? []).map((fields): DuplicateRule => ({
    match: fields.map((field) => ({ fields: [field] })),
  }));
  return { rules, compare_with: "everything", action: "update", survivor: "oldest", wins: "source", fields: {} };
}
