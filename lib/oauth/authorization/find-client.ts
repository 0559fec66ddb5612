import { prisma } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { CLIENT_ID_PATTERN } from "@/lib/oauth/parameters";

/** A live OAuth client. */
export interface Client {
  /** Of the row; `client_id` is what the world knows it by. */
  id: string;
  organization_id: string;
  client_id: string;
  name: string;
  redirect_uris: string[];
  scopes: string[];
}

/** The client of that public id, or null when there is none or it has been revoked. */
export function findClient(clientId: string): Promise<Client | null> {
  if (!CLIENT_ID_PATTERN.test(clientId)) return Promise.resolve(null);
  return acrossOrganizations(() =>
    prisma().oauth_clients.findFirst({
      where: { client_id: clientId, revoked_at: null },
      select: { id: true, organization_id: true, client_id: true, name: true, redirect_uris: true, scopes: true },
    }),
  );
}

/**
 * Whether the person is an enabled member of the organization that the client was registered for: only its members can
 * let the client in.
 */
export async function isMember(userId: string, organizationId: string): Promise<boolean> {
  const where = { user_id: userId, organization_id: organizationId, disabled_at: null };
  return (await inOrganization(organizationId, () => prisma().memberships.count({ where }))) > 0;
}
