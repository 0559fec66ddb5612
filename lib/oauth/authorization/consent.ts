import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { isId } from "@/lib/ids";
import { codeLocation, errorLocation } from "@/lib/oauth/authorization/authorization-response";
import { issueCode } from "@/lib/oauth/authorization/issue-code";
import { forgetDecidedRequest, takePendingRequest } from "@/lib/oauth/authorization/pending-requests";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { recordAudit } from "@/lib/security/audit";
import { isMac, mac } from "@/lib/security/crypto";

const PURPOSE = "consent";

/** Proves that we made a consent form for this session and this request: another site cannot know the token. */
export function consentToken(sessionId: string, requestId: string): string {
  return mac(PURPOSE, `${sessionId}.${requestId}`);
}

export function isConsentToken(token: string, sessionId: string, requestId: string): boolean {
  return isMac(PURPOSE, `${sessionId}.${requestId}`, token);
}

interface Decision {
  requestId: string;
  session: { id: string; user_id: string };
  approved: boolean;
  /** The network address of the browser. */
  address: string;
}

/**
 * Carries out the person's decision once, and returns where the browser goes: the client's redirect URI with a code or
 * with `access_denied`. Null if the request has expired, is decided already, or belongs to another session.
 */
export async function decideConsent({ requestId, session, approved, address }: Decision): Promise<string | null> {
  if (!isId(requestId)) return null;
  const location = await transaction(async (client) => {
    const request = await takePendingRequest(client, requestId, session);
    if (!request) return null;
    const { organization_id: organizationId, user_id: userId, client_id: clientId, scopes } = request;
    const action = approved ? "consent.given" : "consent.denied";
    await recordAudit(client, { organizationId, userId, address }, action, { clientId, details: { scopes } });
    const target = {
      redirectUri: request.redirect_uri,
      state: request.state === null ? undefined : decodeURIComponent(request.state),
    };
    if (!approved) return errorLocation(target, new OAuthError("access_denied", "The user did not allow it."));
    return codeLocation(target, await inOrganization(organizationId, () => issueCode(client, request)));
  });
  if (location !== null) await forgetDecidedRequest(session);
  return location;
}
