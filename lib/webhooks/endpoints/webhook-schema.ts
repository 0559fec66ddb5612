import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";
import { DELIVERY_DAYS } from "@/lib/webhooks/deliveries/limits";

/** Counts of deliveries stop here. */
export const MAX_COUNTED = 10_000;

/** A webhook as the API and the pages show it. Of a secret it shows only that there is one. */
export const webhook = z.object({
  id: z.uuidv7(),
  created_at: timestampOutput,
  updated_at: timestampOutput,
  version: z.int().describe("Counts changes of the settings, not deliveries."),
  url: z.string().describe("The endpoint: where events are sent."),
  description: z.string().nullable(),
  events: z.array(z.string()).describe("Event types, `entity.*` for all of an entity, `*` for all."),
  active: z.boolean().describe("Whether it is switched on. While it is off, nothing is sent or collected for it."),
  disabled_at: timestampOutput.nullable().describe("When it was switched off."),
  disabled_reason: z
    .enum(["gone", "failing", "access_ended"])
    .nullable()
    .describe(
      "Why it was switched off, if no person did it. `gone`: the endpoint answered 410. `failing`: its first " +
        "failed attempt since the last successful one was five days ago, and an event failed for the fifth time or " +
        "the last. `access_ended`: the API client that set the endpoint was revoked, or lost the access that an " +
        "admin had given it.",
    ),
  url_set_by: z.string().nullable().describe("E-mail address of the admin who last set its endpoint."),
  client_id: z
    .string()
    .nullable()
    .describe("The API client through which they did so. When its access ends, the webhook is switched off."),
  client_name: z.string().nullable(),
  is_signed: z.boolean().describe("Whether it has a secret, which signs every delivery."),
  previous_secret_expires_at: timestampOutput.nullable().describe("Until when the previous secret also signs."),
  last_delivered_at: timestampOutput.nullable(),
  last_failed_at: timestampOutput.nullable(),
  failing_since: timestampOutput.nullable().describe("The first failed attempt since the last successful one."),
  pending_deliveries: z.int().describe(`How many deliveries wait to be sent, counted up to ${MAX_COUNTED}.`),
  failed_deliveries: z
    .int()
    .describe(
      `How many deliveries of the last ${DELIVERY_DAYS} days have failed for good, counted up to ${MAX_COUNTED}. ` +
        "They are not tried again unless they are resent or recovered.",
    ),
});

export type Webhook = z.infer<typeof webhook>;

/** The only answer that contains a secret: that of the request that had it generated. */
export const webhookWithSecret = webhook.extend({
  secret: z.string().optional().describe("Only if this request generated it. It is never shown again."),
});

export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

/** Names one webhook. */
export interface WebhookKey {
  organizationId: string;
  webhookId: string;
}
