import { pool } from "@/tests/support/owner";

const AGE = `
  UPDATE deleted_records d SET deleted_at = deleted_at - $2 * interval '1 ms',
    deletion_id = (left(aged.head, 8) || '-' || right(aged.head, 4) || substr(d.deletion_id::text, 14))::uuid
  FROM (
    SELECT DISTINCT deletion_id, lpad(to_hex(
      ('x' || left(replace(deletion_id::text, '-', ''), 12))::bit(48)::bigint - $2::bigint), 12, '0') AS head
    FROM deleted_records WHERE organization_id = $1
  ) AS aged
  WHERE d.organization_id = $1 AND d.deletion_id = aged.deletion_id`;

/** Moves the deletions of an organization's records into the past, with the times in their ids. */
export async function ageDeletions(organizationId: string, days: number): Promise<void> {
  await pool().query(AGE, [organizationId, days * 24 * 3_600_000]);
}
