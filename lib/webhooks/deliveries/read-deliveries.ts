import type { PoolClient } from "pg";
import { z } from "zod";

import { pool } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { AppError } from "@/lib/errors";
import { TEST_EVENT, eventPayload } from "@/lib/event-format";
import { idOrNull, MAX_UUID } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { defineOperation } from "@/lib/operation";
import {
  type WebhookDelivery,
  type WebhookDeliveryDetail,
  webhookDeliveryDetail,
  DELIVERY_STATES,
  webhookDelivery,
} from "@/lib/webhooks/deliveries/delivery-schema";
import { MAX_SHOWN_ATTEMPTS } from "@/lib/webhooks/deliveries/limits";
import { unknownEventIssue } from "@/lib/webhooks/endpoints/webhook-fields";
import { assertWebhookExists } from "@/lib/webhooks/endpoints/webhook-rows";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { eventTypesOf, WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";
import { fixedHeaders } from "@/lib/webhooks/sending/send";

/** A delivery `d` as the log lists it, with its last attempt. */
const DELIVERY_COLUMNS = `d.event_id, d.type AS event, d.state, ${isoText("d.created_at")} AS created_at, d.attempts,
  ${isoText("d.next_attempt_at")} AS next_attempt_at,
  (SELECT json_build_object('attempted_at', ${isoText("a.attempted_at")}, 'status', a.status, 'error', a.error,
    'latency_ms', a.latency_ms)
    FROM webhook_attempts a WHERE a.organization_id = d.organization_id AND a.webhook_id = d.webhook_id
      AND a.event_id = d.event_id
    ORDER BY a.number DESC LIMIT 1) AS last_attempt`;

const FIND_VIEW = `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries d WHERE d.organization_id = $1
  AND d.webhook_id = $2 AND d.event_id = $3`;

/** One delivery of an existing webhook. Throws `not_found`. */
export async function findDeliveryView(
  { organizationId, webhookId }: WebhookKey,
  eventId: string,
  client: PoolClient,
): Promise<WebhookDelivery> {
  const { rows } = await client.query<WebhookDelivery>(FIND_VIEW, [organizationId, webhookId, idOrNull(eventId)]);
  const [delivery] = rows;
  if (!delivery) throw deliveryNotFound();
  return delivery;
}

function deliveryNotFound(): AppError {
  return new AppError(
    "not_found",
    "There is no delivery of this event to this webhook. Deliveries are kept for 30 days.",
  );
}

type Found = Omit<WebhookDeliveryDetail, "request"> & { url: string; body: string | null };

const ATTEMPT = `
  json_build_object('number', a.number, 'attempted_at', ${isoText("a.attempted_at")}, 'url', a.url,
    'latency_ms', a.latency_ms, 'status', a.status,
    'error', a.error, 'response_headers', a.response_headers, 'response_body', a.response_body)`;

const FIND_DETAIL = `
  SELECT ${DELIVERY_COLUMNS}, w.url,
    (SELECT ${eventPayload("e")} FROM events e WHERE e.organization_id = $1 AND e.tx = d.event_tx
      AND e.id = d.event_id) AS body,
    coalesce((SELECT json_agg(${ATTEMPT} ORDER BY a.number DESC) FROM (
      SELECT * FROM webhook_attempts WHERE organization_id = $1 AND webhook_id = $2 AND event_id = $3
      ORDER BY number DESC LIMIT ${MAX_SHOWN_ATTEMPTS}) AS a), '[]') AS attempts_log
  FROM webhook_deliveries d JOIN webhooks w ON w.organization_id = d.organization_id AND w.id = d.webhook_id
  WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id = $3`;

export const getDelivery = defineOperation({
  name: "get_webhook_delivery",
  summary: "One delivery: what is sent, and the outcome of each of its last attempts.",
  scopes: ["crm:read"],
  adminsOnly: true,
  input: z.strictObject({ id: pathId("webhook"), event_id: pathId("event") }),
  output: webhookDeliveryDetail,
  async run({ organizationId }, { id, event_id }) {
    await assertWebhookExists(organizationId, id);
    const { rows } = await pool().query<Found>(FIND_DETAIL, [organizationId, id, idOrNull(event_id)]);
    const [found] = rows;
    if (!found) throw deliveryNotFound();
    const { url, body, attempts_log, ...delivery } = found;
    const event = body === null ? null : (JSON.parse(body) as WebhookDeliveryDetail["request"]["body"]);
    return { ...delivery, request: { url, headers: fixedHeaders(event_id), body: event }, attempts_log };
  },
});

const eventInput = z.string().transform((pattern, context) => {
  const types = pattern === TEST_EVENT ? [TEST_EVENT] : eventTypesOf(pattern);
  if (types.length > 0) return types;
  context.addIssue(unknownEventIssue(pattern));
  return z.NEVER;
});

export const listDeliveries = defineOperation({
  name: "list_webhook_deliveries",
  summary: "List what was sent to a webhook in the last 30 days, or will be sent; newest event first.",
  scopes: ["crm:read"],
  adminsOnly: true,
  input: z.strictObject({
    id: pathId("webhook"),
    ...pageInput,
    state: z
      .enum(DELIVERY_STATES, `\`state\` must be one of ${DELIVERY_STATES.join(", ")}.`)
      .optional()
      .describe("Only deliveries in this state."),
    event: eventInput
      .optional()
      .describe("Only events of this type: `case.escalated`, or `case.*` for all of an entity."),
  }),
  output: pageOutput(webhookDelivery),
  async run({ organizationId }, { id, limit, cursor, state, event: types }) {
    await assertWebhookExists(organizationId, id);
    const values = [organizationId, id, cursor ?? MAX_UUID, limit + 1];
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

/** $1, $2: the webhook. $3: the cursor, or the highest id. $4: the limit. */
const OF_WEBHOOK = "d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id < $3";

const NEWEST = "ORDER BY event_id DESC LIMIT $4";

/** The newest deliveries of a webhook. */
export const ALL_DELIVERIES = `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries d WHERE ${OF_WEBHOOK} ${NEWEST}`;

/**
 * $5: states, $6: types. It reads a page of each state and type from one index and sorts them, so that any filter is a
 * few index ranges.
 */
export const FILTERED_DELIVERIES = `
  SELECT ${DELIVERY_COLUMNS} FROM (
    SELECT found.* FROM unnest($5::webhook_delivery_state[]) AS s (state) CROSS JOIN unnest($6::text[]) AS t (type)
    CROSS JOIN LATERAL (SELECT d.* FROM webhook_deliveries d WHERE ${OF_WEBHOOK} AND d.state = s.state
      AND d.type = t.type ${NEWEST}) AS found
    ${NEWEST}
  ) AS d ORDER BY d.event_id DESC`;
