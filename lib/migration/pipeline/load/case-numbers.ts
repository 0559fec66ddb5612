import type { PoolClient } from "pg";

import type { Row } from "@/lib/migration/pipeline/map/transform";
import { takeCaseNumbers } from "@/lib/records/write/service-fields";

/** A number that looks like one of the series that we issue. */
const DIGITS = /^\d+$/;

/**
 * An imported number below this moves the series beyond it. A longer number is not kept, because the series could reach
 * it later.
 */
const MAX_NUMBER = 10 ** 15;

/**
 * The numbers of cases that exist under the source ids of the page, and the cases that have, or had before they were
 * deleted, the numbers of the page.
 */
async function findExisting(
  client: PoolClient,
  organizationId: string,
  rows: readonly Row[],
): Promise<{ byExtId: Map<string, string>; holders: Map<string, string> }> {
  const found = await client.query<{ ext_id: string | null; case_number: string; id: string }>(
    `SELECT ext_id, case_number, id FROM cases
     WHERE organization_id = $1 AND (ext_id = ANY($2::text[]) OR case_number = ANY($3::text[]))
     UNION ALL
     SELECT NULL, case_number, case_id FROM retired_case_numbers
     WHERE organization_id = $1 AND case_number = ANY($3::text[])`,
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

/**
 * The number of an existing case; else the number in the source, unless another case has or had it; else null for a new
 * one.
 */
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

/** The highest number of the page that looks like one of the series. */
function highestOf(rows: readonly Row[]): number {
  const numbers = rows.map(({ case_number: number }) =>
    typeof number === "string" && DIGITS.test(number) ? Number(number) : 0,
  );
  return Math.max(0, ...numbers.filter((number) => number < MAX_NUMBER));
}

/**
 * Gives each case of a page its number: the one that it already has here, else the one in the source, else a new one if
 * that is missing or belongs to another case. A source number that the case does not get is kept in `custom_fields`.
 * New numbers of the series are higher than all imported ones.
 */
export async function numberCases(client: PoolClient, organizationId: string, cases: readonly Row[]): Promise<Row[]> {
  const highest = highestOf(cases);
  // Locks the series before the lookup. Others who create cases wait for it, so the result stays valid.
  await takeCaseNumbers(client, organizationId, 0, highest);
  const { byExtId, holders } = await findExisting(client, organizationId, cases);
  const rows = cases.map((row) => numbered(row, chooseNumber(row, byExtId.get(row.ext_id), holders)));
  const unnumbered = rows.filter((row) => row.case_number === null);
  if (unnumbered.length === 0) return rows;
  const issued = await takeCaseNumbers(client, organizationId, unnumbered.length, highest);
  unnumbered.forEach((row, index) => {
    row.case_number = issued[index] ?? null;
  });
  return rows;
}

function numbered(row: Row, number: string | null): Row {
  const { case_number: original, custom_fields } = row;
  const isLost = typeof original === "string" && number !== original;
  return { ...row, case_number: number, ...(isLost && { custom_fields: { ...custom_fields, CaseNumber: original } }) };
}
