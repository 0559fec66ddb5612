import type { Pool, PoolClient } from "pg";

/** A member of the organization, who may be disabled: records keep whose they are. */
export interface OwningMember {
  user_id: string;
  name: string;
  email: string;
  is_disabled: boolean;
}

/** What the addresses of users get in a sandbox, so that nobody receives its mail (Salesforce Help 000386507). */
const SANDBOX_SUFFIX = ".invalid";

/** All members of an organization by id, and those who can sign in by the e-mail address of a user of the source. */
export async function readMembers(
  db: Pool | PoolClient,
  organizationId: string,
): Promise<{ byId: Map<string, OwningMember>; withEmail: (email: string | null) => OwningMember | null }> {
  const { rows } = await db.query<OwningMember>(
    `SELECT m.user_id, u.name, lower(u.email) AS email, m.disabled_at IS NOT NULL AS is_disabled
     FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1`,
    [organizationId],
  );
  const byEmail = new Map(rows.flatMap((row) => (row.is_disabled ? [] : [[row.email, row] as const])));
  return {
    byId: new Map(rows.map((row) => [row.user_id, row])),
    withEmail: (email) => {
      const given = email?.toLowerCase() ?? "";
      const real = given.endsWith(SANDBOX_SUFFIX) ? given.slice(0, -SANDBOX_SUFFIX.length) : given;
      return byEmail.get(given) ?? byEmail.get(real) ?? null;
    },
  };
}
