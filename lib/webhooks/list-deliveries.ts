import { z } from "zod";

import { pool } from "@/lib/db";
import { pathId } from "@/lib/id-input";
import { defineOperation } from "@/lib/operation";
import { cutPage, pageInput, pageOutput } from "@/lib/page";
import { eventTypesOf, TEST_EVENT, WEBHOOK_EVENTS } from "@/lib/webhooks/catalogue";
import { DELIVERY_STATES, type WebhookDelivery, webhookDelivery } from "@/lib/webhooks/delivery-schema";
import { ALL_DELIVERIES, FILTERED_DELIVERIES } from "@/lib/webhooks/deliveries-statement";
import { noSuchEvent } from "@/lib/webhooks/webhook-fields";
import { requireWebhook } from "@/lib/webhooks/webhook-view";

const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const eventInput = z.string().transform((pattern, context) => {
  const types = pattern === TEST_EVENT ? [TEST_EVENT] : eventTypesOf(pattern);
  if (types.length > 0) return types;
  context.addIssue(noSuchEvent(pattern));
  return z.NEVER;
});

export const listDeliveries = defineOperation({
  name: "list_webhook_deliveries",
  summary: "List what was sent to a webhook in the last 30 days, or is to be sent; the newest event first.",
  scopes: ["crm:read"],
  adminsOnly: true,
  input: z.strictObject({
    id: pathId("webhook"),
    ...pageInput,
    state: z
      .enum(DELIVERY_STATES, `\`state\` must be one of ${DELIVERY_STATES.join(", ")}.`)
      .optional()
      .describe("Only deliveries in this state."),
    event: eventInput.optional().describe("Only events of this type: `case.escalated`, or `case.*` for all of an entity."),
  }),
  output: pageOutput(webhookDelivery),
  async run({ organizationId }, { id, limit, cursor, state, event: types }) {
    await requireWebhook(organizationId, id);
    const values = [organizationId, id, cursor ?? HIGHEST, limit + 1];
    const isFiltered = state !== undefined || types !== undefined;
    const { rows } = isFiltered
      ? await pool().query<WebhookDelivery>(FILTERED_DELIVERIES, [
          ...values,
          state ? [state] : DELIVERY_STATES,
          types ?? [...WEBHOOK_EVENTS, TEST_EVENT],
        ])
      : await pool().query<WebhookDelivery>(ALL_DELIVERIES, values);
    return cutPage(rows, limit, ({ event_id }) => event_id);
  },
});
