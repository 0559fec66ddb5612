import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { prisma, transaction } from "@/lib/database/db";
import { pathId } from "@/lib/input/ids-and-times";
import { clientName, redirectUris } from "@/lib/oauth/clients/client-fields";
import { oauthClient } from "@/lib/oauth/clients/client-schema";
import { findClientView, lockClient } from "@/lib/oauth/clients/read-clients";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";

/**
 * Changes the fields that are sent and no others. Scopes cannot be changed: what people have allowed was allowed to a
 * client of these scopes. Codes and consents that wait for a removed redirect URI can no longer be used. Throws
 * `not_found` and `precondition_failed`.
 */
export const updateClient = defineOperation({
  name: "update_api_client",
  summary: "Change the name or the redirect URIs of an API client.",
  scopes: [],
  people: "admins",
  stores: true,
  conditional: true,
  input: z.strictObject({
    id: pathId("API client"),
    name: clientName.optional(),
    redirect_uris: redirectUris.optional(),
  }),
  output: oauthClient,
  async run(context, { id, name, redirect_uris }) {
    const { organizationId } = context;
    return transaction(async (client) => {
      const locked = await lockClient(client, context, id);
      const before = { name: locked.name, redirect_uris: locked.redirect_uris };
      const after = { name: name ?? before.name, redirect_uris: redirect_uris ?? before.redirect_uris };
      if (isDeepStrictEqual(after, before)) return findClientView(organizationId, id, client);
      await prisma().oauth_clients.update({
        where: { organization_id: organizationId, id },
        data: { ...after, version: { increment: 1 } },
      });
      const details = { before, after: { name, redirect_uris } };
      await recordAudit(client, context, "client.updated", { clientId: id, details });
      return findClientView(organizationId, id, client);
    });
  },
});
