import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { CASE_NUMBER_DIGITS } from "@/lib/records/entities/case";
import { CLOSING } from "@/lib/records/entities/opportunity";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { Values } from "@/lib/records/schema/write-input";
import type { opportunity_stage, forecast_category } from "@/lib/generated/prisma/enums";
import { lookupEach, inLockOrder } from "@/lib/records/write/lock-records";

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
  const closing = { ...CLOSING[stage], stage_changed_at: now };
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

type Issue = (client: PoolClient, context: Context, records: readonly Values[]) => Promise<Values[]>;

/** Fields of new records that only the database can give. */
const ISSUED: Partial<Record<ResourceName, Issue>> = { cases: numberCases, case_comments: positionComments };

export async function issueFields(
  client: PoolClient,
  context: Context,
  resource: ResourceName,
  records: readonly Values[],
): Promise<Values[]> {
  return ISSUED[resource]?.(client, context, records) ?? [...records];
}

async function numberCases(
  client: PoolClient,
  { organizationId }: Context,
  records: readonly Values[],
): Promise<Values[]> {
  const numbers = await takeCaseNumbers(client, organizationId, records.length);
  return records.map((record, index) => ({ ...record, case_number: numbers[index] }));
}

/** Two concurrent comments get two positions: the second waits here before it looks for the last position. */
export const LOCK_CASES = `SELECT record.id FROM ${lookupEach("cases", "id", "t.id", "NO KEY UPDATE")}`;

/** The last position in each of the threads $2. */
export const LAST_POSITIONS = `
  SELECT wanted.id, (SELECT max(position) FROM case_comments WHERE organization_id = $1 AND case_id = wanted.id) AS last
  FROM unnest($2::uuid[]) AS wanted (id)`;

/** Appends comments to their threads. The author is whoever writes one, unless somebody else is named. */
async function positionComments(client: PoolClient, context: Context, records: readonly Values[]): Promise<Values[]> {
  const positioned = await appendPositions(client, context, records);
  return positioned.map((record) => ({
    author_id: (record.author_name ?? null) === null ? context.userId : null,
    ...record,
  }));
}

async function appendPositions(
  client: PoolClient,
  { organizationId }: Context,
  records: readonly Values[],
): Promise<Values[]> {
  const cases = [organizationId, inLockOrder(records.map(({ case_id }) => case_id as string))];
  await client.query(LOCK_CASES, cases);
  const { rows } = await client.query<{ id: string; last: number | null }>(LAST_POSITIONS, cases);
  const last = new Map(rows.map((row) => [row.id, row.last]));
  return records.map((record) => {
    const caseId = record.case_id as string;
    const position = (last.get(caseId) ?? 0) + 1;
    last.set(caseId, position);
    return { ...record, position };
  });
}

/**
 * Completes changes with fields that only the database can give: a comment that moves to another case is appended to
 * its thread.
 */
export async function reissueFields(
  client: PoolClient,
  context: Context,
  resource: ResourceName,
  changes: readonly Values[],
): Promise<Values[]> {
  const moved = changes.filter(({ case_id }) => case_id !== undefined);
  if (resource !== "case_comments" || moved.length === 0) return [...changes];
  const positioned = (await appendPositions(client, context, moved)).values();
  return changes.map((change) => (change.case_id === undefined ? change : (positioned.next().value as Values)));
}

const TAKE_NUMBERS = `
  INSERT INTO number_series AS s (organization_id, series, next) VALUES ($1, 'case', $3::bigint + 1 + $2::bigint)
  ON CONFLICT (organization_id, series) DO UPDATE SET next = greatest(s.next, $3::bigint + 1) + $2::bigint
  RETURNING next - $2::bigint AS first`;

/**
 * Takes `count` case numbers above `highest` from the organization's series. The series stays locked until the
 * transaction ends.
 */
export async function takeCaseNumbers(
  client: PoolClient,
  organizationId: string,
  count: number,
  highest = 0,
): Promise<string[]> {
  const { rows } = await client.query<{ first: string }>(TAKE_NUMBERS, [organizationId, count, highest]);
  const first = Number(rows[0]?.first);
  return Array.from({ length: count }, (_, index) => String(first + index).padStart(CASE_NUMBER_DIGITS, "0"));
}

/**
 * Reserves the numbers of cases that are about to be deleted, for good: {@link takeCaseNumbers} continues above them,
 * and imports look them up here.
 */
export async function retireCaseNumbers(
  client: PoolClient,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await client.query(
    `INSERT INTO retired_case_numbers (organization_id, case_number, case_id)
     SELECT organization_id, case_number, id FROM cases WHERE organization_id = $1 AND id = ANY ($2::uuid[])
     ON CONFLICT DO NOTHING`,
    [organizationId, ids],
  );
}
