import { z } from "zod";

import { SCOPES } from "@/lib/context";
import { pool, transaction } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { AppError } from "@/lib/errors";
import { idOrNull, MAX_UUID } from "@/lib/ids";
import { pathId, timestampOutput } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { clientWebhook, endedAppAccess } from "@/lib/oauth/clients/client-schema";
import { hostsOf, type WebhookRow, webhooksOf } from "@/lib/oauth/clients/read-clients";
import { describeScopes } from "@/lib/oauth/scopes";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { endWebhooksOfApp, webhooksOfApp } from "@/lib/webhooks/app-access";

/** What a person has allowed an API client. */
const grant = z.object({
  id: z.uuidv7(),
  client_name: z.string(),
  client_id: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  permissions: z.array(z.string()).describe("What the scopes let it do, in words."),
  created_at: timestampOutput.describe("When it was first allowed."),
  last_allowed_at: timestampOutput,
  last_used_at: timestampOutput
    .nullable()
    .describe("When it last used the API in this person's name, to about a minute."),
  live_tokens: z.int().describe("Access tokens in this person's name that work at this moment."),
  webhooks: z
    .array(clientWebhook)
    .describe(
      "Those that are switched on and whose endpoint it set in this person's name. They end with the access, " +
        "unless they are kept.",
    ),
});

type GrantRow = Omit<z.infer<typeof grant>, "permissions" | "webhooks"> & { webhooks: WebhookRow[] };

const SELECT_GRANTS = `
  SELECT g.id, c.name AS client_name, c.client_id, g.scopes, ${isoText("g.created_at")} AS created_at,
    ${isoText("g.last_allowed_at")} AS last_allowed_at, ${isoText("g.last_used_at")} AS last_used_at,
    (SELECT count(*)::int FROM oauth_tokens t
      WHERE t.client_id = g.client_id AND t.user_id = g.user_id
        AND t.revoked_at IS NULL AND t.expires_at > now()) AS live_tokens,
    ${webhooksOf("g.client_id", "g.user_id")} AS webhooks
  FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id AND c.revoked_at IS NULL
  WHERE g.organization_id = $1 AND g.user_id = $2 AND g.id < $3 ORDER BY g.id DESC LIMIT $4`;

export const listGrants = defineOperation({
  name: "list_grants",
  summary: "List the API clients that you have allowed to act in your name, newest first.",
  scopes: [],
  people: "members",
  input: z.strictObject(pageInput),
  output: pageOutput(grant),
  async run({ organizationId, userId, role }, { limit, cursor }) {
    const { rows } = await pool().query<GrantRow>(SELECT_GRANTS, [
      organizationId,
      userId,
      cursor ?? MAX_UUID,
      limit + 1,
    ]);
    const views = rows.map((row) => ({
      ...row,
      permissions: describeScopes(row.scopes, role),
      webhooks: hostsOf(row.webhooks),
    }));
    return cutPage(views, limit, ({ id }) => id);
  },
});

/**
 * Its codes and tokens are deleted with it. They are counted as they were before: a statement does not see its own
 * deletions.
 */
const DELETE_GRANT = `
  DELETE FROM oauth_grants g WHERE organization_id = $1 AND user_id = $2 AND id = $3
  RETURNING client_id, (SELECT count(*)::int FROM oauth_tokens t
    WHERE t.client_id = g.client_id AND t.user_id = g.user_id
      AND t.revoked_at IS NULL AND t.expires_at > now()) AS tokens_stopped`;

interface RemovedGrant {
  client_id: string;
  tokens_stopped: number;
}

export const revokeGrant = defineOperation({
  name: "revoke_grant",
  summary:
    "Take back what you have allowed an API client: from the next request on none of its access tokens in your name " +
    "works, and the webhooks that it set up " +
    "in your name are switched off or kept.",
  scopes: [],
  people: "members",
  input: z.strictObject({ id: pathId("grant"), webhooks: webhooksOfApp }),
  output: endedAppAccess,
  run(context, { id, webhooks }) {
    const { organizationId, userId } = context;
    return transaction(async (client) => {
      const { rows } = await client.query<RemovedGrant>(DELETE_GRANT, [organizationId, userId, idOrNull(id)]);
      const [removed] = rows;
      if (!removed)
        throw new AppError("not_found", "You have allowed nothing with this id, or have taken it back already.");
      const { client_id: clientId, tokens_stopped } = removed;
      const ended = { tokens_stopped, ...(await endWebhooksOfApp(client, context, { clientId, userId }, webhooks)) };
      await recordAudit(client, context, "grant.revoked", { clientId, details: ended });
      return { id, revoked: true as const, ...ended };
    });
  },
});
