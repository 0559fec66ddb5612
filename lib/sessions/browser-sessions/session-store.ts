import { type Context, SCOPES } from "@/lib/context";
import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import type { role } from "@/lib/generated/prisma/enums";
import { newId, isId } from "@/lib/ids";
import { log } from "@/lib/log";
import { recordAudit } from "@/lib/security/audit";

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
 * Member and password must still be what they were when they were checked, and stay so until the session is there: a
 * session that begins while its user is disabled, or gets another password, would otherwise outlive that.
 */
const INSERT_SESSION = `
  WITH proven AS (
    SELECT m.organization_id, m.user_id FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $2 AND m.user_id = $3 AND m.disabled_at IS NULL AND ($8::text IS NULL OR u.password_hash = $8)
    FOR SHARE
  )
  INSERT INTO sessions (id, organization_id, user_id, created_at, last_used_at, expires_at, address, browser)
  SELECT $1, organization_id, user_id, $4, $4, $5, $6, $7 FROM proven`;

/** Begins a session and returns its id, or null when what was checked is no longer so. Clears away what has expired. */
export async function startSession({
  organizationId,
  userId,
  address,
  browser,
  method,
  passwordHash,
}: NewSession): Promise<string | null> {
  const id = newId();
  const now = new Date();
  const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000);
  await acrossOrganizations(() => pool().query("DELETE FROM sessions WHERE expires_at < $1", [now]));
  return transaction(async (client) => {
    const values = [id, organizationId, userId, now, expiresAt, address, browser, passwordHash];
    const { rowCount } = await inOrganization(organizationId, () => client.query(INSERT_SESSION, values));
    if (rowCount === 0) return null;
    await recordAudit(client, {
      organizationId,
      userId,
      address,
      action: "sign_in.succeeded",
      details: { method, browser },
    });
    return id;
  });
}

/** A live sign-in, with what its user is at this moment. */
export interface Session {
  id: string;
  organization_id: string;
  organization_name: string;
  user_id: string;
  user_name: string;
  user_email: string;
  role: role;
}

/** How long a use of a session may go unwritten. */
const RECORD_INTERVAL = "interval '1 minute'";

const FIND_SESSION = {
  name: "find_session",
  text: `SELECT s.id, s.organization_id, o.name AS organization_name, s.user_id, u.name AS user_name, u.email AS user_email, m.role,
      s.last_used_at < now() - ${RECORD_INTERVAL} AS is_to_note
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id AND m.disabled_at IS NULL
    JOIN organizations o ON o.id = s.organization_id
    WHERE s.id = $1 AND s.expires_at > now()`,
};

const RECORD_USE = `UPDATE sessions SET last_used_at = now(), address = $2 WHERE id = $1
  AND last_used_at < now() - ${RECORD_INTERVAL}`;

/**
 * The session of that id, or null when it has ended or expired, its user is disabled or is no longer a member. Never
 * cached. When and from which network `address` it was used last is kept true to about a minute, without making a
 * request wait or write.
 */
export async function findSession(id: string, address: string): Promise<Session | null> {
  if (!isId(id)) return null;
  const { rows } = await acrossOrganizations(() =>
    pool().query<Session & { is_to_note: boolean }>({ ...FIND_SESSION, values: [id] }),
  );
  const [found] = rows;
  if (!found) return null;
  const { is_to_note, ...session } = found;
  if (is_to_note) recordSessionUse(session, address);
  return session;
}

function recordSessionUse({ id, organization_id }: Session, address: string): void {
  inOrganization(organization_id, () => pool().query(RECORD_USE, [id, address])).catch((error: unknown) =>
    log.warn({ err: error }, "could not note the use of a session"),
  );
}

interface Ended {
  organization_id: string;
  user_id: string;
}

const END_SESSION = "DELETE FROM sessions WHERE id = $1 RETURNING organization_id, user_id";

/**
 * Ends a session: from the next request on, every copy of its cookie is worth nothing. `address` is the network address
 * that asks.
 */
export function endSession(id: string, address: string): Promise<void> {
  return transaction(async (client) => {
    const { rows } = await acrossOrganizations(() => client.query<Ended>(END_SESSION, [id]));
    const [ended] = rows;
    if (ended)
      await recordAudit(client, {
        organizationId: ended.organization_id,
        action: "sign_out",
        address,
        userId: ended.user_id,
      });
  });
}

const ALL_SCOPES = new Set(SCOPES);

/**
 * What a signed-in browser may do: everything that a scope can allow. The role is kept beside the scopes, for what
 * admins alone may do.
 */
export function sessionContext(
  session: Session,
  { requestId = newId(), address = null }: Partial<Context> = {},
): Context {
  return {
    requestId,
    organizationId: session.organization_id,
    userId: session.user_id,
    sessionId: session.id,
    role: session.role,
    clientId: null,
    scopes: ALL_SCOPES,
    address,
  };
}
