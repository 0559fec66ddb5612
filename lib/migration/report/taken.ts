import { dependsOnUnreadable } from "@/lib/migration/report/dependents";
import type { RiskFacts } from "@/lib/migration/report/risk-check";
import type { MigratedObjectName } from "@/lib/migration/schemas";

/** Whether a run with the defaults takes an object: it can be read, and so can what all of its records belong to. */
export function isTaken({ survey, mappings }: Pick<RiskFacts, "survey" | "mappings">, object: MigratedObjectName): boolean {
  const readable = survey.objects.some(({ name, readable: canBeRead }) => name === object && canBeRead);
  return readable && mappings[object] !== undefined && !dependsOnUnreadable(survey, object);
}
