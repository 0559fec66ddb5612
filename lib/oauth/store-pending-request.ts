import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import type { AuthorizationRequest } from "@/lib/oauth/check-authorization";
import { acrossOrganizations, inOrganization } from "@/lib/organization-scope";

const LIFETIME_MILLISECONDS = 10 * 60 * 1000;

/**
 * Keeps a checked request until its person has decided, for ten minutes and for this very sign-in, and returns its id. The consent form
 * carries the id alone, so nothing in it can be tampered with. Clears away what has expired.
 */
export async function storePendingRequest(request: AuthorizationRequest, session: { id: string; user_id: string }): Promise<string> {
  const id = newId();
  const now = new Date();
  await acrossOrganizations(() => prisma().oauth_authorizations.deleteMany({ where: { expires_at: { lt: now } } }));
  const data = {
    id,
    client_id: request.client.id,
    user_id: session.user_id,
    session_id: session.id,
    redirect_uri: request.redirectUri,
    scopes: request.scopes,
    // Encoded, since a column of text cannot hold every character that a state may.
    state: request.state === undefined ? null : encodeURIComponent(request.state),
    code_challenge: request.codeChallenge,
    resource: request.resource,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFETIME_MILLISECONDS),
  };
  await inOrganization(request.client.organization_id, () => prisma().oauth_authorizations.create({ data }));
  return id;
}
