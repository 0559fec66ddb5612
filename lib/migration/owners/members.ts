import type { Pool } from "pg";

/** A member of the organization, who may be disabled: records keep whose they are. */
export interface OwningMember {
  user_id: string;
  name: string;
  email: string;
  is_disabled: boolean;
}

/** All members of an organization by id, and those who can sign in by e-mail address in lower case. */
export async function readMembers(
  pool: Pool,
  organizationId: string,
): Promise<{ byId: Map<string, OwningMember>; byEmail: Map<string, OwningMember> }> {
  const { rows } = await pool.query<OwningMember>(
    `SELECT m.user_id, u.name, lower(u.email) AS email, m.disabled_at IS NOT NULL AS is_disabled
     FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1`,
    [organizationId],
  );
  return {
    byId: new Map(rows.map((row) => [row.user_id, row])),
    byEmail: new Map(rows.flatMap((row) => (row.is_disabled ? [] : [[row.email, row] as const]))),
  };
}
