import { randomBytes } from "node:crypto";

import { z } from "zod";

import type { Context } from "@/lib/context";
import { prisma, transaction } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { clientName, clientScopes, redirectUris } from "@/lib/oauth/clients/client-fields";
import { oauthClientWithSecret } from "@/lib/oauth/clients/client-schema";
import { addClientSecret } from "@/lib/oauth/clients/client-secrets";
import { findClientView } from "@/lib/oauth/clients/read-clients";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";

const clientRegistration = z.strictObject({ name: clientName, redirect_uris: redirectUris, scopes: clientScopes });

/** Registers an OAuth client of the organization. Returns it with its secret, which cannot be read again. */
export async function registerClient(
  context: Pick<Context, "organizationId" | "userId"> & Partial<Pick<Context, "address">>,
  { name, redirect_uris, scopes }: z.output<typeof clientRegistration>,
): Promise<z.output<typeof oauthClientWithSecret>> {
  const { organizationId, userId, address = null } = context;
  const id = newId();
  const client_id = `crm_${randomBytes(12).toString("hex")}`;
  return transaction(async (client) => {
    const owned = { id, organization_id: organizationId, created_by_id: userId, created_at: new Date() };
    await prisma().oauth_clients.create({ data: { ...owned, client_id, name, redirect_uris, scopes } });
    const client_secret = await addClientSecret(id);
    const details = { client_id, redirect_uris, scopes };
    await recordAudit(client, { organizationId, userId, address }, "client.created", { clientId: id, details });
    return { ...(await findClientView(organizationId, id, client)), client_secret };
  });
}

export const createClient = defineOperation({
  name: "create_api_client",
  summary: "Create an API client. Its secret is in this answer and is never shown again.",
  scopes: [],
  people: "admins",
  stores: true,
  status: 201,
  input: clientRegistration,
  output: oauthClientWithSecret,
  run: registerClient,
});
