import { recordAudit } from "@/lib/audit";
import { pool, transaction } from "@/lib/db";
import { newId } from "@/lib/ids";
import { acrossOrganizations, inOrganization } from "@/lib/organization-scope";

/** A sign-in lasts seven days, whatever is done in them. */
export const SESSION_SECONDS = 7 * 24 * 3600;

/** Where somebody signs in from. */
export interface Visit {
  /** The network address. */
  address: string;
  /** In words, as `browserName` gives it. */
  browser: string;
}

export interface NewSession extends Visit {
  organizationId: string;
  userId: string;
  method: "password" | "oidc";
  /** What the password was checked against. Without it nobody has asked for a password. */
  passwordHash?: string;
}

/**
 * Member and password must still be what they were when they were checked, and stay so until the session is there: a session that begins while its
 * user is disabled, or gets another password, would otherwise outlive that.
 */
const INSERT = `
  WITH proven AS (
    SELECT m.organization_id, m.user_id FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $2 AND m.user_id = $3 AND m.disabled_at IS NULL AND ($8::text IS NULL OR u.password_hash = $8)
    FOR SHARE
  )
  INSERT INTO sessions (id, organization_id, user_id, created_at, last_used_at, expires_at, address, browser)
  SELECT $1, organization_id, user_id, $4, $4, $5, $6, $7 FROM proven`;

/** Begins a session and returns its id, or null when what was checked is no longer so. Clears away what has expired. */
export async function startSession({ organizationId, userId, address, browser, method, passwordHash }: NewSession): Promise<string | null> {
  const id = newId();
  const now = new Date();
  const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000);
  await acrossOrganizations(() => pool().query("DELETE FROM sessions WHERE expires_at < $1", [now]));
  return transaction(async (client) => {
    const values = [id, organizationId, userId, now, expiresAt, address, browser, passwordHash];
    const { rowCount } = await inOrganization(organizationId, () => client.query(INSERT, values));
    if (rowCount === 0) return null;
    await recordAudit(client, { organizationId, userId, address, action: "sign_in.succeeded", details: { method, browser } });
    return id;
  });
}
