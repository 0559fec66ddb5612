import type { RiskCheck } from "@/lib/migration/report/risk-check";

/** Objects that can be read but were not counted, so that nobody knows how much is coming. */
export const uncountedObjects: RiskCheck = ({ survey, mappings }) =>
  survey.objects
    .filter(({ name, readable, count }) => name in mappings && readable && count === null)
    .map(({ name, label }) => ({
      severity: "warning",
      code: "object_not_counted",
      object: name,
      count: null,
      title: `${label} could not be counted`,
      detail: "Salesforce refused to count these records, or took too long. They are migrated all the same, but the estimate leaves them out.",
      recommended_action: "Go on, or analyze again at a quieter time to know beforehand how many there are.",
    }));
