import type { Components } from "@/lib/http/openapi/components";
import { EVENT_EXAMPLE } from "@/lib/http/openapi/examples/webhooks";
import { type JsonSchema, refTo } from "@/lib/http/openapi/json-schema";
import { TEST_EVENT, WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";
import { TIMEOUT_MS } from "@/lib/webhooks/sending/send";

/** A request that the service makes, as OpenAPI 3.1 (§4.8.1, `webhooks`) writes it: the answers are the receiver's. */
export interface WebhookRequest {
  operationId: string;
  summary: string;
  /** Markdown (CommonMark). */
  description: string;
  tags: string[];
  /** Whoever has the secret checks the signature, instead of an access token. */
  security: [];
  parameters: { name: string; in: "header"; required: boolean; description: string; schema: JsonSchema }[];
  requestBody: { required: true; content: { "application/json": { schema: JsonSchema; example: unknown } } };
  responses: Record<string, { description: string }>;
}

/** The component that an event is, as a webhook's endpoint gets it. */
export const WEBHOOK_EVENT = "WebhookEvent";

const HEADERS: WebhookRequest["parameters"] = [
  {
    name: "webhook-id",
    in: "header",
    required: true,
    description:
      "The event's `id`, the same at every attempt and every resend: do nothing for one that you have handled.",
    schema: { type: "string", format: "uuid" },
  },
  {
    name: "webhook-timestamp",
    in: "header",
    required: true,
    description:
      "When this attempt was made, in seconds since 1970. Refuse what lies more than five minutes from your own clock.",
    schema: { type: "string", pattern: "^\\d+$" },
  },
  {
    name: "webhook-signature",
    in: "header",
    required: false,
    description:
      "Only if the webhook has a secret. `v1,` and the base64 of an HMAC-SHA256 by it over `webhook-id`, " +
      "`webhook-timestamp` and the body as it came, joined by dots. Several are parted by spaces; one that is " +
      "right is enough.",
    schema: { type: "string" },
  },
];

const RESPONSES: WebhookRequest["responses"] = {
  "2XX": {
    description: `The event has arrived, if this comes within ${TIMEOUT_MS / 1000} seconds. What it holds does not matter.`,
  },
  "410": { description: "Nobody wants events here any more: the webhook is switched off at once." },
  default: {
    description:
      "It has not arrived, and is tried again later. Redirects are not followed. With 429 and 503, `Retry-After` " +
      "counts, up to a day.",
  },
};

/** Describes what endpoints get, and completes what the feed's events can be: test events stand there, too. */
export function describeWebhookRequest({ schemas }: Components): WebhookRequest {
  const { Event: told } = schemas;
  if (!told) throw new Error("No operation answers events, so there is nothing to say of their form.");
  schemas[WEBHOOK_EVENT] = withTypes(told, [...WEBHOOK_EVENTS, TEST_EVENT]);
  schemas.Event = withTypes(told, [...(told.properties?.type?.enum ?? []), TEST_EVENT]);
  return {
    operationId: "receive_event",
    summary: "What the endpoint of a webhook gets.",
    description:
      "Signed as Standard Webhooks has it. The reference of webhooks tells of signatures, retries and test events.",
    tags: ["webhooks"],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { "application/json": { schema: refTo(WEBHOOK_EVENT), example: EVENT_EXAMPLE } },
    },
    responses: RESPONSES,
  };
}

function withTypes(event: JsonSchema, types: unknown[]): JsonSchema {
  return { ...event, properties: { ...event.properties, type: { ...event.properties?.type, enum: types } } };
}
