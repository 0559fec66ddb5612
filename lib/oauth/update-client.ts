import { z } from "zod";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { pathId } from "@/lib/id-input";
import { clientName, redirectUris } from "@/lib/oauth/client-fields";
import { findClientView, noSuchClient, oauthClient } from "@/lib/oauth/client-view";
import { lockClient } from "@/lib/oauth/lock-client";
import { defineOperation } from "@/lib/operation";

const UPDATE =
  "UPDATE oauth_clients SET name = coalesce($3, name), redirect_uris = coalesce($4, redirect_uris) WHERE organization_id = $1 AND id = $2";

/**
 * Scopes cannot be changed: what people have allowed was allowed to a client of these scopes. Codes and consents that wait for a redirect URI
 * that is taken away lead nowhere from then on.
 */
export const updateClient = defineOperation({
  name: "update_api_client",
  summary: "Change the name or the redirect URIs of an API client.",
  scopes: [],
  people: "admins",
  input: z.strictObject({ id: pathId("API client"), name: clientName.optional(), redirect_uris: redirectUris.optional() }),
  output: oauthClient,
  async run({ organizationId, userId, address }, { id, name, redirect_uris }) {
    await transaction(async (client) => {
      const before = await lockClient(client, organizationId, id);
      if (!before) throw noSuchClient();
      await client.query(UPDATE, [organizationId, id, name ?? null, redirect_uris ?? null]);
      const details = { before, after: { name, redirect_uris } };
      await recordAudit(client, { organizationId, action: "client.updated", address, userId, clientId: id, details });
    });
    return findClientView(organizationId, id);
  },
});
