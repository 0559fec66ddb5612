import type { PoolClient } from "pg";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { isId } from "@/lib/ids";
import { codeLocation, errorLocation } from "@/lib/oauth/authorization-response";
import { clearCodes, issueCode, type Permission } from "@/lib/oauth/issue-code";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { acrossOrganizations, inOrganization } from "@/lib/organization-scope";

interface Decision {
  requestId: string;
  session: { id: string; user_id: string };
  approved: boolean;
  /** The network address of the browser. */
  address: string;
}

interface DecidedRequest extends Permission {
  state: string | null;
}

/**
 * Takes the request away as it reads it: of two submits of one form, one finds it. The member stays enabled until the decision is carried out:
 * a grant that came about beside the disabling would be there again after it.
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
  RETURNING a.client_id, open.organization_id, a.user_id, a.redirect_uri, a.scopes, a.state, a.code_challenge, a.resource`;

/**
 * Carries out what the person decided, once, and returns where the browser goes: the client's redirect URI with a code, or with
 * `access_denied`. Null when there is nothing left to decide: expired, decided before, or of another sign-in.
 */
export async function decide({ requestId, session, approved, address }: Decision): Promise<string | null> {
  if (!isId(requestId)) return null;
  await clearCodes();
  return transaction(async (client) => {
    const request = await takeRequest(client, requestId, session);
    if (!request) return null;
    const { organization_id: organizationId, user_id: userId, client_id: clientId, scopes } = request;
    const action = approved ? "consent.given" : "consent.denied";
    await recordAudit(client, { organizationId, action, address, userId, clientId, details: { scopes } });
    const target = { redirectUri: request.redirect_uri, state: request.state === null ? undefined : decodeURIComponent(request.state) };
    if (!approved) return errorLocation(target, new OAuthError("access_denied", "The user did not allow it."));
    return codeLocation(target, await inOrganization(organizationId, () => issueCode(client, request)));
  });
}

async function takeRequest(client: PoolClient, requestId: string, session: { id: string; user_id: string }): Promise<DecidedRequest | undefined> {
  const { rows } = await acrossOrganizations(() => client.query<DecidedRequest>(TAKE_REQUEST, [requestId, session.id, session.user_id]));
  return rows[0];
}
