import type { Scope } from "@/lib/context";
import { prisma } from "@/lib/db";
import { isId } from "@/lib/ids";

/** What the consent page shows. */
export interface PendingRequest {
  clientName: string;
  redirectUri: string;
  scopes: Scope[];
}

/** The request that this sign-in has yet to decide on, or null when it is unknown, decided, expired, or of another sign-in. */
export async function findPendingRequest(id: string, sessionId: string): Promise<PendingRequest | null> {
  if (!isId(id)) return null;
  const pending = await prisma().oauth_authorizations.findFirst({
    where: { id, session_id: sessionId, expires_at: { gt: new Date() }, client: { revoked_at: null } },
    select: { redirect_uri: true, scopes: true, client: { select: { name: true } } },
  });
  return pending && { clientName: pending.client.name, redirectUri: pending.redirect_uri, scopes: pending.scopes as Scope[] };
}
