import { type Context, SCOPES } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { Session } from "@/lib/sessions/find-session";

const ALL_SCOPES = new Set(SCOPES);

/** What a signed-in browser may do: everything that a scope can allow. The role is kept beside the scopes, for what admins alone may do. */
export function sessionContext(session: Session, { requestId = newId(), address = null }: Partial<Context> = {}): Context {
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
