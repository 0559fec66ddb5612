import type { PoolClient } from "pg";

import type { Row } from "@/lib/migration/pipeline/map/transform";
import { takeCaseNumbers } from "@/lib/records/write/issue-fields";

/** A number that looks like one of the series. */
const DIGITS = /^\d+$/;

/** The series can get beyond any number below this. A longer one is not kept: the series could come to it. */
const MAX_NUMBER = 10 ** 15;

/**
 * The number of each case that is here under one of the page's ids, and who has, or had before it was deleted, one of
 * the page's numbers.
 */
async function findTaken(
  client: PoolClient,
  organizationId: string,
  rows: readonly Row[],
): Promise<{ byExtId: Map<string, string>; holders: Map<string, string> }> {
  const found = await client.query<{ ext_id: string | null; case_number: string; id: string }>(
    `SELECT ext_id, case_number, id FROM cases WHERE organization_id = $1 AND (ext_id = ANY($2::text[]) OR case_number = ANY($3::text[]))
     UNION ALL
     SELECT NULL, case_number, case_id FROM retired_case_numbers WHERE organization_id = $1 AND case_number = ANY($3::text[])`,
    [
      organizationId,
      rows.map((row) => row.ext_id),
      rows.map((row) => row.case_number).filter((number) => number !== null),
    ],
  );
  const byExtId = new Map(
    found.rows.flatMap(({ ext_id, case_number }) => (ext_id ? [[ext_id, case_number] as const] : [])),
  );
  return { byExtId, holders: new Map(found.rows.map(({ case_number, id }) => [case_number, id])) };
}

/** The number that a case has here, else its own unless it is or was somebody else's; null: it needs a new one. */
function chooseNumber(
  { id, case_number: original }: Row,
  current: string | undefined,
  holders: Map<string, string>,
): string | null {
  if (current !== undefined) return current;
  if (typeof original !== "string" || (DIGITS.test(original) && Number(original) >= MAX_NUMBER)) return null;
  if ((holders.get(original) ?? id) !== id) return null;
  holders.set(original, id);
  return original;
}

/** The highest of the page's numbers that look like the series' own. */
function highestOf(rows: readonly Row[]): number {
  const numbers = rows.map(({ case_number: number }) =>
    typeof number === "string" && DIGITS.test(number) ? Number(number) : 0,
  );
  return Math.max(0, ...numbers.filter((number) => number < MAX_NUMBER));
}

/**
 * The cases of a page, each with its number: the one it has here already, else the source's own, else, where that is
 * missing or another case's, a new one. A source's number that the case did not get is kept in `custom_fields`. New
 * numbers of the series stay beyond all imported ones.
 */
export async function numberCases(client: PoolClient, organizationId: string, given: readonly Row[]): Promise<Row[]> {
  const highest = highestOf(given);
  // Before anything is looked up: whoever else creates a case waits at the series, so that the answer stays true.
  await takeCaseNumbers(client, organizationId, 0, highest);
  const { byExtId, holders } = await findTaken(client, organizationId, given);
  const rows = given.map((row) => numbered(row, chooseNumber(row, byExtId.get(row.ext_id), holders)));
  const without = rows.filter((row) => row.case_number === null);
  if (without.length === 0) return rows;
  const issued = await takeCaseNumbers(client, organizationId, without.length, highest);
  without.forEach((row, index) => {
    row.case_number = issued[index] ?? null;
  });
  return rows;
}

function numbered(row: Row, number: string | null): Row {
  const { case_number: original, custom_fields } = row;
  const isLost = typeof original === "string" && number !== original;
  return { ...row, case_number: number, ...(isLost && { custom_fields: { ...custom_fields, CaseNumber: original } }) };
}
