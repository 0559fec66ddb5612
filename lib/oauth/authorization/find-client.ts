import { prisma } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { CLIENT_ID_PATTERN } from "@/lib/oauth/parameters";

/** An OAuth client that is not revoked. */
export interface Client {
  /** The row's id. `client_id` is the public one. */
  id: string;
  organization_id: string;
  client_id: string;
  name: string;
  redirect_uris: string[];
  scopes: string[];
}

/** The client with this public id, or null if there is none or it is revoked. */
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
 * Whether the person is an enabled member of the organization that registered the client: only its members can allow
 * the client anything.
 */
export async function isMember(userId: string, organizationId: string): Promise<boolean> {
  const where = { user_id: userId, organization_id: organizationId, disabled_at: null };
  return (await inOrganization(organizationId, () => prisma().memberships.count({ where }))) > 0;
}
