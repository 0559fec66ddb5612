import type { PoolClient } from "pg";

import { afterCommit } from "@/lib/db";
import { askForDrain } from "@/lib/webhooks/ask-for-drain";
import { IMPORT_DELIVERIES_PER_SECOND } from "@/lib/webhooks/import-rate";

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

const APART = `interval '${1000 / IMPORT_DELIVERIES_PER_SECOND} milliseconds'`;

/**
 * {@link FAN_OUT} for imported records, at a bounded rate: their deliveries are due one after the other, behind those that earlier statements have
 * made. What is told otherwise meanwhile does not wait behind them. `paced (webhook_id)` says which webhooks have something to be sent.
 */
export const PACED_FAN_OUT = `subscribed AS (
    SELECT told.*, w.id AS webhook_id, row_number() OVER (PARTITION BY w.id ORDER BY told.id) AS place
    FROM told JOIN webhooks w ON w.organization_id = told.organization_id AND w.active AND told.type = ANY (w.event_types)
  ), paced AS (
    UPDATE webhooks w SET import_paced_until = greatest(w.import_paced_until, now()) + taken.places * ${APART}
    FROM (SELECT organization_id, webhook_id, count(*) AS places FROM subscribed GROUP BY organization_id, webhook_id) AS taken
    WHERE w.organization_id = taken.organization_id AND w.id = taken.webhook_id
    RETURNING w.id AS webhook_id, w.import_paced_until - taken.places * ${APART} AS begins
  ), queued AS (
    INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
    SELECT organization_id, webhook_id, id, tx, type, now(), begins + place * ${APART} FROM subscribed JOIN paced USING (webhook_id)
  )`;

/** Selects what {@link FAN_OUT} has queued, as one array; not made distinct, which every write that nobody subscribes to would pay for. */
export const QUEUED_WEBHOOKS = "ARRAY(SELECT webhook_id FROM queued)";

/** Selects what {@link PACED_FAN_OUT} has queued, as one array. */
export const PACED_WEBHOOKS = "ARRAY(SELECT webhook_id FROM paced)";

/** Has deliveries sent that a transaction has queued, once it is committed. */
export function sendAfterCommit(client: PoolClient, organizationId: string, webhookIds: readonly string[]): void {
  if (webhookIds.length > 0) afterCommit(client, () => askForDrain(organizationId, [...new Set(webhookIds)]));
}
