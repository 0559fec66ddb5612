import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";
import { MAX_SHOWN_ATTEMPTS } from "@/lib/webhooks/deliveries/limits";

const outcome = {
  status: z.int().nullable().describe("Status of the endpoint's answer; null if there was none."),
  error: z.string().nullable().describe("Why the attempt failed, as a sentence; null if it did not."),
  latency_ms: z.int(),
};

export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One event for one webhook, as the log lists it. */
export const webhookDelivery = z.object({
  event_id: z.uuidv7().describe("The endpoint gets it as `webhook-id`, at every attempt."),
  event: z.string().describe("The type of the event: `case.created`."),
  state: z.enum(DELIVERY_STATES).describe("`pending`: will be sent, or tried again. `failed`: no attempt is left."),
  created_at: timestampOutput.describe("When it happened."),
  attempts: z.int(),
  next_attempt_at: timestampOutput.nullable(),
  last_attempt: z.object({ attempted_at: timestampOutput, ...outcome }).nullable(),
});

export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** A delivery with its body and the outcome of each of its last attempts. */
export const webhookDeliveryDetail = webhookDelivery.extend({
  request: z
    .object({
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z
        .record(z.string(), z.json())
        .nullable()
        .describe("The event; null if it is no longer kept, so there is nothing to send."),
    })
    .describe(
      "What is sent. Each attempt also has its own `webhook-timestamp` and, with a secret, `webhook-signature`.",
    ),
  attempts_log: z
    .array(
      z.object({
        number: z.int(),
        attempted_at: timestampOutput,
        url: z.string().describe("Where it was sent. The webhook's endpoint may have changed since."),
        ...outcome,
        response_headers: z.record(z.string(), z.string()).nullable(),
        response_body: z.string().nullable().describe("Its first 4 KB."),
      }),
    )
    .describe(`The last ${MAX_SHOWN_ATTEMPTS} at most, latest first; \`attempts\` counts all of them.`),
});

export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetail>;
