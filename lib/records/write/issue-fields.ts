import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { Values } from "@/lib/records/schema/write-input";
import { lookupEach, inLockOrder } from "@/lib/records/write/lock-records";

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

/** Appends comments to their threads. */
async function positionComments(client: PoolClient, context: Context, records: readonly Values[]): Promise<Values[]> {
  const positioned = await appendPositions(client, context, records);
  return positioned.map((record) => ({
    author_id: record.author_name === undefined ? context.userId : null,
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

const DIGITS = 8;

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
  return Array.from({ length: count }, (_, index) => String(first + index).padStart(DIGITS, "0"));
}

/**
 * Reserves the number of a case that is about to be deleted, for good: {@link takeCaseNumbers} continues above it, and
 * imports look it up here.
 */
export async function retireCaseNumber(client: PoolClient, organizationId: string, id: string): Promise<void> {
  await client.query(
    `INSERT INTO retired_case_numbers (organization_id, case_number, case_id)
     SELECT organization_id, case_number, id FROM cases WHERE organization_id = $1 AND id = $2 ON CONFLICT DO NOTHING`,
    [organizationId, id],
  );
}
