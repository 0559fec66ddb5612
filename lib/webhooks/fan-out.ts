import type { PoolClient } from "pg";

import { afterCommit } from "@/lib/database/db";
import { MAX_IMPORT_DELIVERIES_PER_SECOND } from "@/lib/webhooks/deliveries/delivery-schema";
import { enqueueDrain } from "@/lib/webhooks/sending/enqueue-drain";

/**
 * The part of a statement that makes a delivery for every webhook that subscribes to an event, to stand in its WITH
 * behind `emitted (organization_id, id, tx, type)`. Its result, `queued (webhook_id)`, says which webhooks have something
 * to be sent. One index range of `webhooks`, and nothing written, where nobody subscribes.
 */
export const FAN_OUT = `queued AS (
    INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
    SELECT emitted.organization_id, w.id, emitted.id, emitted.tx, emitted.type, now(), now()
    FROM emitted JOIN webhooks w ON w.organization_id = emitted.organization_id AND w.active AND emitted.type = ANY (w.event_types)
    RETURNING webhook_id
  )`;

const SPACING = `interval '${1000 / MAX_IMPORT_DELIVERIES_PER_SECOND} milliseconds'`;

/** Of the precision that is stored, so that moments stay apart by whole steps. */
const NOW = "date_trunc('milliseconds', now())";

/**
 * {@link FAN_OUT} for imported records, at a bounded rate: their deliveries are due one after the other, behind those
 * that earlier statements have made. What is emitted otherwise meanwhile does not wait behind them. `paced (webhook_id)`
 * says which webhooks have something to be sent. The rows of `webhook_import_paces` are held until the import commits,
 * in one order by all; those of `webhooks`, which sending needs, are only read.
 */
export const PACED_FAN_OUT = `subscribed AS (
    SELECT emitted.*, w.id AS webhook_id, row_number() OVER (PARTITION BY w.id ORDER BY emitted.id) AS place, count(*) OVER (PARTITION BY w.id) AS places
    FROM emitted JOIN webhooks w ON w.organization_id = emitted.organization_id AND w.active AND emitted.type = ANY (w.event_types)
  ), paced AS (
    INSERT INTO webhook_import_paces AS p (organization_id, webhook_id, paced_until)
    SELECT organization_id, webhook_id, ${NOW} + places * ${SPACING} FROM subscribed WHERE place = 1 ORDER BY webhook_id
    ON CONFLICT (organization_id, webhook_id) DO UPDATE
      SET paced_until = greatest(p.paced_until, ${NOW}) + (excluded.paced_until - ${NOW})
    RETURNING webhook_id, paced_until
  ), queued AS (
    INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
    SELECT organization_id, webhook_id, id, tx, type, now(), paced_until - (places - place) * ${SPACING} FROM subscribed JOIN paced USING (webhook_id)
  )`;

/**
 * Selects what {@link FAN_OUT} has queued, as one array; not made distinct, which every write that nobody subscribes to
 * would pay for.
 */
export const QUEUED_WEBHOOKS = "ARRAY(SELECT webhook_id FROM queued)";

/** Selects what {@link PACED_FAN_OUT} has queued, as one array. */
export const PACED_WEBHOOKS = "ARRAY(SELECT webhook_id FROM paced)";

/** Has deliveries sent that a transaction has queued, once it is committed. */
export function enqueueAfterCommit(client: PoolClient, organizationId: string, webhookIds: readonly string[]): void {
  if (webhookIds.length > 0) afterCommit(client, () => enqueueDrain(organizationId, [...new Set(webhookIds)]));
}
