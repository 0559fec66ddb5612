import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { transaction } from "@/lib/database/db";
import { enqueueAfterCommit } from "@/lib/webhooks/sending/enqueue-drain";
import { pathId } from "@/lib/input/ids-and-times";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { ACCESS_HAS_ENDED } from "@/lib/webhooks/app-access";
import {
  hostOf,
  expandEventTypes,
  webhookDescription,
  webhookEvents,
  webhookUrl,
} from "@/lib/webhooks/endpoints/webhook-fields";
import { type LockedWebhook, lockWebhook, findWebhookView } from "@/lib/webhooks/endpoints/webhook-rows";
import { webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/**
 * A webhook belongs to whoever sets its endpoint, or switches it on after the access of the app that had set it has
 * ended.
 */
const CHANGES_OWNER = `url <> $3 OR ($7 AND NOT active AND ${ACCESS_HAS_ENDED})`;

/**
 * Switching it on or changing the URL restarts the five days. `disabled_at` follows `active`, which another admin may
 * have changed. $8, $9: the user and client of the request.
 */
const UPDATE = `
  UPDATE webhooks w SET url = $3, description = $4, events = $5, event_types = $6, active = $7, updated_at = now(),
    version = version + 1,
    disabled_at = CASE WHEN $7 THEN NULL ELSE coalesce(disabled_at, now()) END,
    disabled_reason = CASE WHEN $7 THEN NULL ELSE disabled_reason END,
    failing_since = CASE WHEN $7 AND NOT active OR url <> $3 THEN NULL ELSE failing_since END,
    url_set_by_id = CASE WHEN ${CHANGES_OWNER} THEN $8 ELSE url_set_by_id END, url_client_id = CASE
      WHEN ${CHANGES_OWNER} THEN $9 ELSE url_client_id END
  WHERE organization_id = $1 AND id = $2`;

/** Changes the fields that are sent and no others. Throws `not_found` and `precondition_failed`. */
export const updateWebhook = defineOperation({
  name: "update_webhook",
  summary: "Change a webhook: its endpoint, its events, its description, or whether it is switched on.",
  scopes: ["crm:write"],
  adminsOnly: true,
  conditional: true,
  input: z.strictObject({
    id: pathId("webhook"),
    url: webhookUrl.optional(),
    events: webhookEvents.optional(),
    description: webhookDescription.optional(),
    active: z
      .boolean()
      .optional()
      .describe(
        "Whether it is switched on. Pending deliveries are then sent in their turn; `recover` sends what it missed.",
      ),
  }),
  output: webhook,
  async run(context, { id, ...given }) {
    const { organizationId, userId, clientId } = context;
    return transaction(async (client) => {
      const before = await lockWebhook(client, context, id);
      const after = { ...before, ...withoutUndefined(given) };
      const changed = changedFields(before, after);
      if (changed.length === 0) return findWebhookView(organizationId, id, client);
      const { url, description, events, active } = after;
      await client.query(UPDATE, [
        organizationId,
        id,
        url,
        description,
        events,
        expandEventTypes(events),
        active,
        userId,
        clientId,
      ]);
      const details = { webhook_id: id, host: hostOf(url), changed, active };
      await recordAudit(client, context, "webhook.updated", { clientId, details });
      if (active && !before.active) enqueueAfterCommit(client, organizationId, [id]);
      return findWebhookView(organizationId, id, client);
    });
  },
});

function withoutUndefined(given: {
  [Field in keyof LockedWebhook]?: LockedWebhook[Field] | undefined;
}): Partial<LockedWebhook> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function changedFields(before: LockedWebhook, after: LockedWebhook): string[] {
  return (["url", "description", "events", "active"] as const).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
}
