import type { Complexity, Report } from "@/lib/migration/report/report-schema";

type Automations = Report["automations"];

export type AutomationKind = Exclude<keyof Automations, "complexity">;

/** Null if the user may not see the kind. */
export type AutomationCounts = Record<AutomationKind, { active: number; total: number } | null>;

/**
 * The weight of one active automation: a rule is one condition, flows and processes have branches, a trigger is code.
 */
const POINTS: Record<AutomationKind, number> = {
  workflows: 1,
  process_builder_flows: 2,
  flows: 2,
  triggers: 4,
  validation_rules: 1,
};

const MAX_LOW = 10;

const MAX_MEDIUM = 50;

/** Rates each kind, and all readable kinds together. */
export function summarize(counts: AutomationCounts): Automations {
  const pointsOf = (kind: AutomationKind) => (counts[kind]?.active ?? 0) * POINTS[kind];
  const rate = (kind: AutomationKind) => counts[kind] && { ...counts[kind], complexity: complexityOf(pointsOf(kind)) };
  const kinds = Object.keys(POINTS) as AutomationKind[];
  const points = kinds.reduce((sum, kind) => sum + pointsOf(kind), 0);
  return {
    complexity: kinds.some((kind) => counts[kind]) ? complexityOf(points) : null,
    workflows: rate("workflows"),
    process_builder_flows: rate("process_builder_flows"),
    flows: rate("flows"),
    triggers: rate("triggers"),
    validation_rules: rate("validation_rules"),
  };
}

function complexityOf(points: number): Complexity {
  if (points === 0) return "none";
  if (points <= MAX_LOW) return "low";
  return points <= MAX_MEDIUM ? "medium" : "high";
}
