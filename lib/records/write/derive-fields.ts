import type { opportunity_stage, forecast_category } from "@/lib/generated/prisma/enums";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { Values } from "@/lib/records/schema/write-input";

/** What is given of a record, the record until now (null when it is created), and the time (ISO 8601). */
interface Change {
  given: Values;
  before: Values | null;
  now: string;
}

/** Fields that the service derives from those that are given. */
const DERIVATIONS: Partial<Record<ResourceName, (change: Change) => Values>> = {
  opportunities: stageRules,
  cases: caseRules,
  activities: ({ given, before, now }) =>
    "completed_at" in given ? {} : momentOfStatus(given.status, before?.status, "completed", "completed_at", now),
};

/**
 * The given and derived fields of a record that is created or changed. Custom fields are merged by name; null removes
 * one (RFC 7396).
 */
export function deriveFields(resource: ResourceName, change: Change): Values {
  const derived = DERIVATIONS[resource]?.(change) ?? {};
  const { custom_fields: given } = change.given;
  if (given === undefined) return { ...change.given, ...derived };
  const merged = { ...(change.before?.custom_fields as Values | undefined), ...(given as Values) };
  const custom_fields = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  return { ...change.given, ...derived, custom_fields };
}

/**
 * For a change of stage: whether it is closed and won, since when, and what the stage implies where nothing else is
 * given.
 */
function stageRules({ given, before, now }: Change): Values {
  if (given.stage === undefined || given.stage === before?.stage) return {};
  const stage = given.stage as opportunity_stage;
  const closing = { is_closed: stage.startsWith("closed_"), is_won: stage === "closed_won", stage_changed_at: now };
  return { ...STAGES[stage], ...onlyGiven(given, ["probability", "forecast_category"]), ...closing };
}

/**
 * Closing a case ends its escalation, but keeps its time and reason (as Salesforce clears Case.IsEscalated on closing).
 */
function caseRules({ given, before, now }: Change): Values {
  const closing = momentOfStatus(given.status, before?.status, "closed", "closed_at", now);
  return typeof closing.closed_at === "string" ? { ...closing, is_escalated: false } : closing;
}

function onlyGiven(given: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}

/** `field` has the time at which the status became `reached`, and is empty in every other status. */
function momentOfStatus(status: unknown, before: unknown, reached: string, field: string, now: string): Values {
  if (status === undefined || status === before) return {};
  return { [field]: status === reached ? now : null };
}

interface StageMeaning {
  /** Percent. */
  probability: number;
  forecast_category: forecast_category;
}

/** What a stage implies for an opportunity by default: the defaults of Salesforce's sales process. */
const STAGES: Record<opportunity_stage, StageMeaning> = {
  prospecting: { probability: 10, forecast_category: "pipeline" },
  qualification: { probability: 10, forecast_category: "pipeline" },
  needs_analysis: { probability: 20, forecast_category: "pipeline" },
  value_proposition: { probability: 50, forecast_category: "pipeline" },
  decision_makers: { probability: 60, forecast_category: "pipeline" },
  perception_analysis: { probability: 70, forecast_category: "best_case" },
  proposal: { probability: 75, forecast_category: "best_case" },
  negotiation: { probability: 90, forecast_category: "commit" },
  closed_won: { probability: 100, forecast_category: "closed" },
  closed_lost: { probability: 0, forecast_category: "omitted" },
};
