import { prisma } from "@/lib/db";
import { acrossOrganizations } from "@/lib/organization-scope";

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

export const CLIENT_ID = /^crm_[0-9a-f]{24}$/;

/** The client of that public id, or null when there is none or it has been revoked. */
export function findClient(clientId: string): Promise<Client | null> {
  if (!CLIENT_ID.test(clientId)) return Promise.resolve(null);
  return acrossOrganizations(() =>
    prisma().oauth_clients.findFirst({
      where: { client_id: clientId, revoked_at: null },
      select: { id: true, organization_id: true, client_id: true, name: true, redirect_uris: true, scopes: true },
    }),
  );
}
