import { z } from "zod";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { pathId } from "@/lib/id-input";
import { noSuchClient } from "@/lib/oauth/client-view";
import { lockClient } from "@/lib/oauth/lock-client";
import { defineOperation } from "@/lib/operation";

const COUNT_TOKENS = "SELECT count(*)::int AS live FROM oauth_tokens WHERE client_id = $1 AND revoked_at IS NULL AND expires_at > now()";

/** The row stays, for the names in what it did. Its tokens, codes and secrets are refused because of `revoked_at`, from the commit on. */
export const revokeClient = defineOperation({
  name: "revoke_api_client",
  summary: "Revoke an API client for ever: with the next request none of its access tokens, codes and secrets works.",
  scopes: [],
  people: "admins",
  input: z.strictObject({ id: pathId("API client") }),
  output: z.object({ id: z.uuidv7(), revoked: z.literal(true), tokens_stopped: z.int() }),
  run({ organizationId, userId, address }, { id }) {
    return transaction(async (client) => {
      if (!(await lockClient(client, organizationId, id))) throw noSuchClient();
      await client.query("UPDATE oauth_clients SET revoked_at = now() WHERE id = $1", [id]);
      const tokens_stopped = (await client.query<{ live: number }>(COUNT_TOKENS, [id])).rows[0]?.live ?? 0;
      await client.query("DELETE FROM oauth_grants WHERE client_id = $1", [id]);
      await recordAudit(client, { organizationId, action: "client.revoked", address, userId, clientId: id, details: { tokens_stopped } });
      return { id, revoked: true as const, tokens_stopped };
    });
  },
});
