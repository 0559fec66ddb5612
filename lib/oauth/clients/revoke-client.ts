import { z } from "zod";

import { prisma, transaction } from "@/lib/database/db";
import { pathId } from "@/lib/input/ids-and-times";
import { endedAppAccess } from "@/lib/oauth/clients/client-schema";
import { LIVE_TOKENS, lockClient } from "@/lib/oauth/clients/read-clients";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { endWebhooksOfApp, webhooksOfApp } from "@/lib/webhooks/app-access";

const REVOKE = `
  UPDATE oauth_clients c SET revoked_at = now() WHERE c.id = $1
  RETURNING ${LIVE_TOKENS} AS tokens_stopped`;

/**
 * The row stays, since records of what the client did name it. From the commit on, `revoked_at` stops its tokens, codes
 * and secrets, and nothing is sent to endpoints that it set, unless the admin keeps its webhooks.
 */
export const revokeClient = defineOperation({
  name: "revoke_api_client",
  summary:
    "Revoke an API client for ever: from the next request on none of its access tokens, codes and secrets works, and " +
    "its webhooks are switched off or kept.",
  scopes: [],
  people: "admins",
  conditional: true,
  input: z.strictObject({ id: pathId("API client"), webhooks: webhooksOfApp }),
  output: endedAppAccess,
  run(context, { id, webhooks }) {
    return transaction(async (client) => {
      await lockClient(client, context, id);
      const tokens_stopped =
        (await client.query<{ tokens_stopped: number }>(REVOKE, [id])).rows[0]?.tokens_stopped ?? 0;
      await prisma().oauth_grants.deleteMany({ where: { client_id: id } });
      const ended = { tokens_stopped, ...(await endWebhooksOfApp(client, context, { clientId: id }, webhooks)) };
      await recordAudit(client, context, "client.revoked", { clientId: id, details: ended });
      return { id, revoked: true as const, ...ended };
    });
  },
});
