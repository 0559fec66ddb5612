import { TEST_EVENT } from "@/lib/event-format";
import type { Components } from "@/lib/http/openapi/components";
import { EVENT_EXAMPLE } from "@/lib/http/openapi/examples/webhooks";
import { type JsonSchema, refTo } from "@/lib/http/openapi/json-schema";
import { WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";
import { TIMEOUT_MS } from "@/lib/webhooks/sending/send";

/**
 * A request that the service sends, as OpenAPI 3.1 describes one (§4.8.1, `webhooks`): the responses are the
 * receiver's.
 */
export interface WebhookRequest {
  operationId: string;
  summary: string;
  /** Markdown (CommonMark). */
  description: string;
  tags: string[];
  /** Empty: the receiver checks the signature, there is no access token. */
  security: [];
  parameters: { name: string; in: "header"; required: boolean; description: string; schema: JsonSchema }[];
  requestBody: { required: true; content: { "application/json": { schema: JsonSchema; example: unknown } } };
  responses: Record<string, { description: string }>;
}

/** The component of an event as a webhook's endpoint receives it. */
export const WEBHOOK_EVENT = "WebhookEvent";

const HEADERS: WebhookRequest["parameters"] = [
  {
    name: "webhook-id",
    in: "header",
    required: true,
    description: "The event's `id`, the same in every attempt and every resend: ignore an event that you have handled.",
    schema: { type: "string", format: "uuid" },
  },
  {
    name: "webhook-timestamp",
    in: "header",
    required: true,
    description:
      "When this attempt was made, in seconds since 1970. Refuse one more than five minutes away from your clock.",
    schema: { type: "string", pattern: "^\\d+$" },
  },
  {
    name: "webhook-signature",
    in: "header",
    required: false,
    description:
      "Only if the webhook has a secret. `v1,` and the base64 of an HMAC-SHA256 with it over `webhook-id`, " +
      "`webhook-timestamp` and the unparsed body, joined by dots. Several are separated by spaces; one that " +
      "matches is enough.",
    schema: { type: "string" },
  },
];

const RESPONSES: WebhookRequest["responses"] = {
  "2XX": {
    description:
      `The event is delivered, if this comes within ${TIMEOUT_MS / 1000} seconds. ` +
      "The body of the answer does not matter.",
  },
  "410": { description: "The endpoint no longer wants events: the webhook is switched off at once." },
  default: {
    description:
      "The event is not delivered, and is sent again later. Redirects are not followed. With 429 and 503, " +
      "`Retry-After` is honoured, up to a day.",
  },
};

/**
 * Describes the request to an endpoint, and adds test events to the types of an event, since the feed can contain them
 * too.
 */
export function describeWebhookRequest({ schemas }: Components): WebhookRequest {
  const { Event: event } = schemas;
  if (!event) throw new Error("No operation returns events, so their schema is unknown.");
  schemas[WEBHOOK_EVENT] = withTypes(event, [...WEBHOOK_EVENTS, TEST_EVENT]);
  return {
    operationId: "receive_event",
    summary: "The request that the endpoint of a webhook receives.",
    description:
      "Signed according to Standard Webhooks. The reference of webhooks explains signatures, retries and test events.",
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
