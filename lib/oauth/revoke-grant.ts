import { z } from "zod";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { pathId } from "@/lib/id-input";
import { endedAppAccess } from "@/lib/oauth/client-schema";
import { defineOperation } from "@/lib/operation";
import { endWebhooksOfApp, webhooksOfApp } from "@/lib/webhooks/app-access";

/** Codes and tokens that rest on it go with it. They are counted as they stood before: a statement sees nothing of its own deletions. */
const DELETE = `
  DELETE FROM oauth_grants g WHERE organization_id = $1 AND user_id = $2 AND id = $3
  RETURNING client_id, (SELECT count(*)::int FROM oauth_tokens t
    WHERE t.client_id = g.client_id AND t.user_id = g.user_id AND t.revoked_at IS NULL AND t.expires_at > now()) AS tokens_stopped`;

interface Removed {
  client_id: string;
  tokens_stopped: number;
}

export const revokeGrant = defineOperation({
  name: "revoke_grant",
  summary:
    "Take back what you have allowed an API client: with the next request none of its access tokens in your name works, and the webhooks that it set up " +
    "in your name are switched off or kept.",
  scopes: [],
  people: "members",
  input: z.strictObject({ id: pathId("grant"), webhooks: webhooksOfApp }),
  output: endedAppAccess,
  run(context, { id, webhooks }) {
    const { organizationId, userId, address } = context;
    return transaction(async (client) => {
      const { rows } = isId(id) ? await client.query<Removed>(DELETE, [organizationId, userId, id]) : { rows: [] };
      const [removed] = rows;
      if (!removed) throw new AppError("not_found", "You have allowed nothing with this id, or have taken it back already.");
      const { client_id: clientId, tokens_stopped } = removed;
      const ended = { tokens_stopped, ...(await endWebhooksOfApp(client, context, { clientId, userId }, webhooks)) };
      await recordAudit(client, { organizationId, action: "grant.revoked", address, userId, clientId, details: ended });
      return { id, revoked: true as const, ...ended };
    });
  },
});
