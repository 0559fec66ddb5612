import type { PoolClient } from "pg";

const DIGITS = 8;

const TAKE = `
  INSERT INTO number_series AS s (organization_id, series, next) VALUES ($1, 'case', $3::bigint + 1 + $2::bigint)
  ON CONFLICT (organization_id, series) DO UPDATE SET next = greatest(s.next, $3::bigint + 1) + $2::bigint
  RETURNING next - $2::bigint AS first`;

/** Takes `count` case numbers from the organization's series, beyond `highest`. The series stays locked until the transaction ends. */
export async function takeCaseNumbers(client: PoolClient, organizationId: string, count: number, highest = 0): Promise<string[]> {
  const { rows } = await client.query<{ first: string }>(TAKE, [organizationId, count, highest]);
  const first = Number(rows[0]?.first);
  return Array.from({ length: count }, (_, index) => String(first + index).padStart(DIGITS, "0"));
}

/** The number of a case that is about to be deleted stays its own for ever: {@link takeCaseNumbers} goes on beyond it, and imports look here. */
export async function retireCaseNumber(client: PoolClient, organizationId: string, id: string): Promise<void> {
  await client.query(
    `INSERT INTO retired_case_numbers (organization_id, case_number, case_id)
     SELECT organization_id, case_number, id FROM cases WHERE organization_id = $1 AND id = $2 ON CONFLICT DO NOTHING`,
    [organizationId, id],
  );
}
