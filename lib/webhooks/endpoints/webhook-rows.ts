import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { pool, prisma } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { AppError } from "@/lib/errors";
import { idOrNull, isId, MAX_UUID } from "@/lib/ids";
import { assertPreconditions } from "@/lib/preconditions";
import { assertAppAccess } from "@/lib/webhooks/app-access";
import type { DeliveryState } from "@/lib/webhooks/deliveries/delivery-schema";
import { MAX_COUNTED, type Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** The number of deliveries in a state; one index range. */
function countDeliveries(state: DeliveryState): string {
  return `(SELECT count(*)::int FROM (
      SELECT FROM webhook_deliveries d WHERE d.organization_id = w.organization_id AND d.webhook_id = w.id
        AND d.state = '${state}' LIMIT ${MAX_COUNTED}
    ) AS counted)`;
}

const SELECT = `
  SELECT w.id, ${isoText("w.created_at")} AS created_at, ${isoText("w.updated_at")} AS updated_at, w.version, w.url,
    w.description, w.events, w.active, ${isoText("w.disabled_at")} AS disabled_at, w.disabled_reason,
    u.email AS url_set_by, c.client_id, c.name AS client_name,
    w.secret IS NOT NULL AS is_signed, CASE WHEN w.previous_secret_expires_at > now()
      THEN ${isoText("w.previous_secret_expires_at")} END AS previous_secret_expires_at,
    ${isoText("w.last_delivered_at")} AS last_delivered_at, ${isoText("w.last_failed_at")} AS last_failed_at,
    ${isoText("w.failing_since")} AS failing_since,
    ${countDeliveries("pending")} AS pending_deliveries, ${countDeliveries("failed")} AS failed_deliveries
  FROM webhooks w LEFT JOIN users u ON u.id = w.url_set_by_id LEFT JOIN oauth_clients c ON c.id = w.url_client_id
  WHERE w.organization_id = $1`;

/**
 * Throws `not_found`, also for another organization's webhook and for an invalid id. `client` is the one of the
 * transaction that has changed the webhook, if any.
 */
export async function findWebhookView(
  organizationId: string,
  id: string,
  client: Pick<PoolClient, "query"> = pool(),
): Promise<Webhook> {
  const { rows } = await client.query<Webhook>(`${SELECT} AND w.id = $2`, [organizationId, idOrNull(id)]);
  const [row] = rows;
  if (!row) throw webhookNotFound();
  return row;
}

/** Webhooks below a cursor, newest first. */
export async function findWebhookViews(
  organizationId: string,
  cursor: string | undefined,
  limit: number,
): Promise<Webhook[]> {
  const text = `${SELECT} AND w.id < $2 ORDER BY w.id DESC LIMIT $3`;
  const { rows } = await pool().query<Webhook>(text, [organizationId, cursor ?? MAX_UUID, limit]);
  return rows;
}

export function webhookNotFound(): AppError {
  return new AppError("not_found", "There is no webhook with this id. It may have been deleted.");
}

/** The refusal for a webhook that is switched off. */
export function webhookDisabled(what: string): AppError {
  return new AppError("illegal_state", `The webhook is switched off, so ${what}. Switch it on first.`);
}

/** Throws `not_found`. Returns whether the webhook is switched on, and its URL. */
export async function assertWebhookExists(
  organizationId: string,
  id: string,
): Promise<{ active: boolean; url: string }> {
  const find = { where: { organization_id: organizationId, id }, select: { active: true, url: true } };
  const found = isId(id) ? await prisma().webhooks.findFirst(find) : null;
  if (!found) throw webhookNotFound();
  return found;
}

/** A locked webhook, before a change. */
export interface LockedWebhook {
  version: number;
  url: string;
  description: string | null;
  events: string[];
  active: boolean;
  secret: Buffer | null;
}

const LOCK = `SELECT version, url, description, events, active, secret FROM webhooks WHERE organization_id = $1
    AND id = $2
    FOR UPDATE`;

/**
 * Locks a webhook, and the access of the app that makes the request, until the transaction ends. Lock nothing else
 * after it: recording attempts locks deliveries first. Throws `not_found`, `precondition_failed` and `forbidden`.
 */
export async function lockWebhook(client: PoolClient, context: Context, id: string): Promise<LockedWebhook> {
  const { organizationId, preconditions } = context;
  await assertAppAccess(client, context);
  const { rows } = await client.query<LockedWebhook>(LOCK, [organizationId, idOrNull(id)]);
  const [row] = rows;
  if (!row) throw webhookNotFound();
  assertPreconditions(preconditions, { id, version: row.version });
  return row;
}
