import type { PoolClient } from "pg";

import { afterCommit } from "@/lib/db";
import { askForDrain } from "@/lib/webhooks/ask-for-drain";

/**
 * The part of a statement that makes a delivery for every webhook that subscribes to an event, to stand in its WITH behind `told (organization_id, id,
 * tx, type)`. Its result, `queued (webhook_id)`, says which webhooks have something to be sent. One index range of `webhooks`, and nothing
 * written, where nobody subscribes.
 */
export const FAN_OUT = `queued AS (
    INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
    SELECT told.organization_id, w.id, told.id, told.tx, told.type, now(), now()
    FROM told JOIN webhooks w ON w.organization_id = told.organization_id AND w.active AND told.type = ANY (w.event_types)
    RETURNING webhook_id
  )`;

/** Selects what {@link FAN_OUT} has queued, as one array. */
export const QUEUED_WEBHOOKS = "ARRAY(SELECT DISTINCT webhook_id FROM queued)";

/** Has deliveries sent that a transaction has queued, once it is committed. */
export function sendAfterCommit(client: PoolClient, organizationId: string, webhookIds: readonly string[]): void {
  if (webhookIds.length > 0) afterCommit(client, () => askForDrain(organizationId, webhookIds));
}
