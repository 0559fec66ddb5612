import type { Scope } from "@/lib/context";
import { pool } from "@/lib/db";
import type { role } from "@/lib/generated/prisma/enums";
import { isId } from "@/lib/ids";
import { acrossOrganizations } from "@/lib/organization-scope";

/** What the consent page shows. */
export interface PendingRequest {
  clientName: string;
  /** The client's, which its user allows it to work with. */
  organizationName: string;
  redirectUri: string;
  scopes: Scope[];
  /** The person's, on which depends what the client may do for them. */
  role: role;
}

const FIND_PENDING = `
  SELECT c.name AS "clientName", o.name AS "organizationName", a.redirect_uri AS "redirectUri", a.scopes, m.role
  FROM oauth_authorizations a
  JOIN oauth_clients c ON c.id = a.client_id AND c.revoked_at IS NULL
  JOIN organizations o ON o.id = c.organization_id
  JOIN memberships m ON m.organization_id = c.organization_id AND m.user_id = a.user_id
  WHERE a.id = $1 AND a.session_id = $2 AND a.expires_at > now()`;

/** The request that this sign-in has yet to decide on, or null when it is unknown, decided, expired, or of another sign-in. */
export async function findPendingRequest(id: string, sessionId: string): Promise<PendingRequest | null> {
  if (!isId(id)) return null;
  const { rows } = await acrossOrganizations(() => pool().query<PendingRequest>(FIND_PENDING, [id, sessionId]));
  return rows[0] ?? null;
}
