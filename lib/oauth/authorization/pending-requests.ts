import type { PoolClient } from "pg";

import type { Scope } from "@/lib/context";
import { pool } from "@/lib/database/db";
import { DELETE_BATCH_SIZE, deleteInBatches } from "@/lib/database/housekeeping";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import type { role } from "@/lib/generated/prisma/enums";
import { newId, isId } from "@/lib/ids";
import type { AuthorizationRequest } from "@/lib/oauth/authorization/check-authorization";
import type { Consent } from "@/lib/oauth/authorization/issue-code";
import { assertAttemptAllowed, type Throttle, undoAttempt } from "@/lib/security/throttle";

const LIFETIME = "10 minutes";

/** Requests of one person that wait for a decision. Each is a row, whoever sent the person here, and however often. */
const PER_PERSON: Throttle = { name: "authorization-requests", limit: 100, windowSeconds: 10 * 60 };

/** Requests of one person, decided ones too: the audit log keeps each decision, and codes are kept for a day. */
const PER_PERSON_AND_HOUR: Throttle = { name: "authorizations", limit: 500, windowSeconds: 3600 };

/** The database's clock sets its times, because it also tells whether a request is still found. */
const INSERT = `
  INSERT INTO oauth_authorizations
    (id, client_id, user_id, session_id, redirect_uri, scopes, state, code_challenge, resource, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), now() + interval '${LIFETIME}')`;

/**
 * Stores a checked request for ten minutes, for this session only, and returns its id. The consent form carries nothing
 * but the id, so nothing else can be tampered with. Throws `too_many_requests` where too many of the person's wait, or
 * were made.
 */
export async function storePendingRequest(
  request: AuthorizationRequest,
  session: { id: string; user_id: string },
): Promise<string> {
  for (const throttle of [PER_PERSON, PER_PERSON_AND_HOUR])
    await assertAttemptAllowed(throttle, session.user_id, "Apps have asked for your permission too often.");
  const id = newId();
  const { client, redirectUri, scopes, codeChallenge, resource } = request;
  // Encoded, since a text column cannot store every character that a state may have.
  const state = request.state === undefined ? null : encodeURIComponent(request.state);
  const values = [id, client.id, session.user_id, session.id, redirectUri, scopes, state, codeChallenge, resource];
  await inOrganization(client.organization_id, () => pool().query(INSERT, values));
  return id;
}

const DELETE_EXPIRED = `
  DELETE FROM oauth_authorizations WHERE ctid IN (
    SELECT ctid FROM oauth_authorizations WHERE expires_at < now() LIMIT ${DELETE_BATCH_SIZE})`;

/** Deletes expired requests. Returns how many. */
export function purgePendingRequests(): Promise<number> {
  return acrossOrganizations(() => deleteInBatches(DELETE_EXPIRED));
}

/** What the consent page shows. */
interface PendingRequest {
  clientName: string;
  /** The organization of the client, whose records the user lets it work with. */
  organizationName: string;
  redirectUri: string;
  scopes: Scope[];
  /** The person's role, which limits what the client may do. */
  role: role;
}

const FIND_PENDING = `
  SELECT c.name AS "clientName", o.name AS "organizationName", a.redirect_uri AS "redirectUri", a.scopes, m.role
  FROM oauth_authorizations a
  JOIN oauth_clients c ON c.id = a.client_id AND c.revoked_at IS NULL
  JOIN organizations o ON o.id = c.organization_id
  JOIN memberships m ON m.organization_id = c.organization_id AND m.user_id = a.user_id
  WHERE a.id = $1 AND a.session_id = $2 AND a.expires_at > now()`;

/**
 * The request that this session has yet to decide on, or null if it is unknown, decided, expired, or of another
 * session.
 */
export async function findPendingRequest(id: string, sessionId: string): Promise<PendingRequest | null> {
  if (!isId(id)) return null;
  const { rows } = await acrossOrganizations(() => pool().query<PendingRequest>(FIND_PENDING, [id, sessionId]));
  return rows[0] ?? null;
}

interface DecidedRequest extends Consent {
  state: string | null;
}

/**
 * Deletes the request as it reads it, so that of two submits of one form only one finds it. FOR SHARE keeps the member
 * enabled until the decision is carried out: otherwise a grant made during the disabling would survive it.
 */
const TAKE_REQUEST = `
  WITH open AS (
    SELECT a.id, c.organization_id FROM oauth_authorizations a
    JOIN oauth_clients c ON c.id = a.client_id AND c.revoked_at IS NULL AND a.redirect_uri = ANY (c.redirect_uris)
    JOIN memberships m ON m.organization_id = c.organization_id AND m.user_id = a.user_id AND m.disabled_at IS NULL
    WHERE a.id = $1 AND a.session_id = $2 AND a.user_id = $3 AND a.expires_at > now()
    FOR SHARE OF m
  )
  DELETE FROM oauth_authorizations a USING open WHERE a.id = open.id
  RETURNING a.client_id, open.organization_id, a.user_id, a.redirect_uri,
    a.scopes, a.state, a.code_challenge, a.resource`;

export async function takePendingRequest(
  client: PoolClient,
  requestId: string,
  session: { id: string; user_id: string },
): Promise<DecidedRequest | undefined> {
  const { rows } = await acrossOrganizations(() =>
    client.query<DecidedRequest>(TAKE_REQUEST, [requestId, session.id, session.user_id]),
  );
  return rows[0];
}

/** Counts a request no longer that was decided on. */
export function forgetDecidedRequest({ user_id }: { user_id: string }): Promise<void> {
  return undoAttempt(PER_PERSON, user_id);
}
