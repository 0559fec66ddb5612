import type { PoolClient } from "pg";

import { takeCaseNumbers } from "@/lib/records/case-number";
import type { Row } from "@/lib/migration/pipeline/transform";

/** Longer numbers do not take part in the series; none that it issues will ever meet them. */
const LONGEST_NUMBER = /^0*\d{1,15}$/;

/** Cases that are here under one of the page's ids or numbers. */
async function present(
  client: PoolClient,
  organizationId: string,
  rows: readonly Row[],
): Promise<{ byId: Map<string, string>; numbers: Set<string> }> {
  const found = await client.query<{ ext_id: string | null; case_number: string }>(
    `SELECT ext_id, case_number FROM cases WHERE organization_id = $1 AND (ext_id = ANY($2::text[]) OR case_number = ANY($3::text[]))`,
    [organizationId, rows.map((row) => row.ext_id), rows.map((row) => row.case_number).filter((number) => number !== null)],
  );
  const byId = new Map(found.rows.flatMap(({ ext_id, case_number }) => (ext_id ? [[ext_id, case_number] as const] : [])));
  return { byId, numbers: new Set(found.rows.map(({ case_number }) => case_number)) };
}

/** The number that a case has here, else its own if nobody has it; null: it needs a new one. */
function chooseNumber(original: unknown, had: string | undefined, numbers: Set<string>): string | null {
  if (had !== undefined) return had;
  if (typeof original !== "string" || numbers.has(original)) return null;
  numbers.add(original);
  return original;
}

/** The highest of the page's numbers that look like the series' own. */
function highestOf(rows: readonly Row[]): number {
  return rows.reduce((most, { case_number: number }) => {
    return typeof number === "string" && LONGEST_NUMBER.test(number) ? Math.max(most, Number(number)) : most;
  }, 0);
}

/**
 * The cases of a page, each with its number: the one it has here already, else the source's own, else, where that is missing or taken, a new
 * one. A source's number that the case did not get is kept in `custom_fields`. New numbers of the series stay beyond all imported ones.
 */
export async function numberCases(client: PoolClient, organizationId: string, given: readonly Row[]): Promise<Row[]> {
  const highest = highestOf(given);
  // Before anything is looked up: whoever else creates a case waits at the series, so that the answer stays true.
  await takeCaseNumbers(client, organizationId, 0, highest);
  const { byId, numbers } = await present(client, organizationId, given);
  const rows = given.map((row) => numbered(row, chooseNumber(row.case_number, byId.get(row.ext_id), numbers)));
  const without = rows.filter((row) => row.case_number === null);
  if (without.length === 0) return rows;
  const taken = await takeCaseNumbers(client, organizationId, without.length, highest);
  without.forEach((row, index) => {
    row.case_number = taken[index] ?? null;
  });
  return rows;
}

function numbered(row: Row, number: string | null): Row {
  const { case_number: original, custom_fields } = row;
  const isLost = typeof original === "string" && number !== original;
  return { ...row, case_number: number, ...(isLost && { custom_fields: { ...custom_fields, CaseNumber: original } }) };
}
