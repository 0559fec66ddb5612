import { type Context, SCOPES } from "@/lib/context";
import { pool, transaction } from "@/lib/database/db";
import { DELETE_BATCH_SIZE, deleteInBatches } from "@/lib/database/housekeeping";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import type { role } from "@/lib/generated/prisma/enums";
import { newId, isId } from "@/lib/ids";
import { log } from "@/lib/log";
import { recordAudit } from "@/lib/security/audit";
import { assertAttemptAllowed, type Throttle } from "@/lib/security/throttle";

/** A session lasts seven days, however it is used. */
export const SESSION_SECONDS = 7 * 24 * 3600;

/** Where a person signs in from. */
export interface Visit {
  /** The network address. */
  address: string;
  /** The browser in words, as `browserName` gives it. */
  browser: string;
}

export interface NewSession extends Visit {
  organizationId: string;
  userId: string;
  method: "password" | "oidc";
  /** The hash that the password was checked against. Absent if no password was asked for. */
  passwordHash?: string;
}

/**
 * Membership and password must still be as they were checked, and FOR SHARE keeps them so until the session is stored.
 * Otherwise a session that begins while its user is being disabled, or gets another password, would survive that.
 */
const INSERT_SESSION = `
  WITH checked AS (
    SELECT m.organization_id, m.user_id FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $2 AND m.user_id = $3 AND m.disabled_at IS NULL
      AND ($7::text IS NULL OR u.password_hash = $7)
    FOR SHARE
  )
  INSERT INTO sessions (id, organization_id, user_id, created_at, last_used_at, expires_at, address, browser)
  SELECT $1, organization_id, user_id, now(), now(), now() + $4 * interval '1 second', $5, $6 FROM checked`;

/** Nobody meets it who signs in to work. Each session is kept for a week, and its start in the audit log for good. */
const PER_PERSON: Throttle = { name: "started-sessions", limit: 300, windowSeconds: 3600 };

/**
 * Starts a session and returns its id, or null if what was checked is no longer true. Throws `too_many_requests` where
 * the person has signed in too often.
 */
export async function startSession({
  organizationId,
  userId,
  address,
  browser,
  method,
  passwordHash,
}: NewSession): Promise<string | null> {
  await assertAttemptAllowed(PER_PERSON, userId, "You have signed in too often.");
  const id = newId();
  return transaction(async (client) => {
    const values = [id, organizationId, userId, SESSION_SECONDS, address, browser, passwordHash];
    const { rowCount } = await inOrganization(organizationId, () => client.query(INSERT_SESSION, values));
    if (rowCount === 0) return null;
    await recordAudit(client, { organizationId, userId, address }, "sign_in.succeeded", {
      details: { method, browser },
    });
    return id;
  });
}

const DELETE_EXPIRED = `
  DELETE FROM sessions WHERE ctid IN (
    SELECT ctid FROM sessions WHERE expires_at < now() LIMIT ${DELETE_BATCH_SIZE})`;

/** Deletes expired sessions, which hold network addresses. Returns how many. */
export function purgeSessions(): Promise<number> {
  return acrossOrganizations(() => deleteInBatches(DELETE_EXPIRED));
}

/** A live session, with the present data of its user. */
export interface Session {
  id: string;
  organization_id: string;
  organization_name: string;
  /** What new records begin with; null for none. */
  organization_currency: string | null;
  /** The time zone of times that are shown; null for the reader's own. */
  organization_time_zone: string | null;
  user_id: string;
  user_name: string;
  user_email: string;
  role: role;
}

/** Uses within this time of the last recorded one are not recorded. */
const RECORD_INTERVAL = "interval '1 minute'";

const FIND_SESSION = {
  name: "find_session",
  text: `SELECT s.id, s.organization_id, o.name AS organization_name,
      o.currency AS organization_currency, o.time_zone AS organization_time_zone,
      s.user_id, u.name AS user_name, u.email AS user_email, m.role,
      s.last_used_at < now() - ${RECORD_INTERVAL} AS is_use_unrecorded
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id AND m.disabled_at IS NULL
    JOIN organizations o ON o.id = s.organization_id
    WHERE s.id = $1 AND s.expires_at > now()`,
};

const RECORD_USE = `UPDATE sessions SET last_used_at = now(), address = $2 WHERE id = $1
  AND last_used_at < now() - ${RECORD_INTERVAL}`;

/**
 * The session with this id. Null if it has ended or expired, or if its user is disabled or no member any more. Never
 * cached. The time and network `address` of the last use are kept true to about a minute; the request does not wait for
 * that.
 */
export async function findSession(id: string, address: string): Promise<Session | null> {
  if (!isId(id)) return null;
  const { rows } = await acrossOrganizations(() =>
    pool().query<Session & { is_use_unrecorded: boolean }>({ ...FIND_SESSION, values: [id] }),
  );
  const [found] = rows;
  if (!found) return null;
  const { is_use_unrecorded, ...session } = found;
  if (is_use_unrecorded) recordSessionUse(session, address);
  return session;
}

function recordSessionUse({ id, organization_id }: Session, address: string): void {
  inOrganization(organization_id, () => pool().query(RECORD_USE, [id, address])).catch((error: unknown) =>
    log.warn({ err: error }, "could not record the use of a session"),
  );
}

interface Ended {
  organization_id: string;
  user_id: string;
}

const END_SESSION = "DELETE FROM sessions WHERE id = $1 RETURNING organization_id, user_id";

/**
 * Ends a session: from the next request on, no copy of its cookie works. `address` is the network address of the
 * request.
 */
export function endSession(id: string, address: string): Promise<void> {
  return transaction(async (client) => {
    const { rows } = await acrossOrganizations(() => client.query<Ended>(END_SESSION, [id]));
    const [ended] = rows;
    if (ended)
      await recordAudit(client, { organizationId: ended.organization_id, userId: ended.user_id, address }, "sign_out");
  });
}

const ALL_SCOPES = new Set(SCOPES);

/** The context of a signed-in browser: it has every scope. What only admins may do depends on the role. */
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

/** A `User-Agent` can be of any length; its first part is enough for the name. */
const MAX_USER_AGENT_LENGTH = 500;

/** The order matters: most browsers also name those that they resemble. */
const BROWSERS: readonly [name: string, mark: RegExp][] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];

const SYSTEMS: readonly [name: string, mark: RegExp][] = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
];

/**
 * A browser and its system in words, from its `User-Agent` (RFC 9110 §10.1.5): "Firefox on Linux". A client can send
 * anything, so the result is made of our own words alone; any other browser is an "Unknown browser".
 */
export function browserName(userAgent: string | null): string {
  const text = (userAgent ?? "").slice(0, MAX_USER_AGENT_LENGTH);
  const named = (known: readonly [string, RegExp][]) => known.find(([, mark]) => mark.test(text))?.[0];
  const [browser = "Unknown browser", system] = [named(BROWSERS), named(SYSTEMS)];
  return system ? `${browser} on ${system}` : browser;
}
