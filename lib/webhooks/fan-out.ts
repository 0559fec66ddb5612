import { MAX_IMPORT_DELIVERIES_PER_SECOND } from "@/lib/webhooks/deliveries/limits";

/**
 * A CTE that inserts a delivery for each webhook that subscribes to an emitted event. It follows a CTE `emitted
 * (organization_id, id, tx, type)`; `queued (webhook_id)` names the webhooks to drain. Without subscribers it costs one
 * index range of `webhooks` and writes nothing.
 */
export const FAN_OUT = `queued AS (
    INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
    SELECT emitted.organization_id, w.id, emitted.id, emitted.tx, emitted.type, now(), now()
    FROM emitted JOIN webhooks w ON w.organization_id = emitted.organization_id AND w.active
      AND emitted.type = ANY (w.event_types)
    RETURNING webhook_id
  )`;

const SPACING = `interval '${1000 / MAX_IMPORT_DELIVERIES_PER_SECOND} milliseconds'`;

/** At the precision that is stored, so that the due times stay apart by whole steps. */
const NOW = "date_trunc('milliseconds', now())";

/**
 * {@link FAN_OUT} for imported records, at a bounded rate: their deliveries become due one after the other, after those
 * of earlier statements. Other events do not wait behind them. `paced (webhook_id)` names the webhooks to drain. Rows
 * of `webhook_import_paces` stay locked until the import commits, always in the same order; rows of `webhooks`, which
 * sending needs, are only read.
 */
export const PACED_FAN_OUT = `subscribed AS (
    SELECT emitted.*, w.id AS webhook_id, row_number() OVER (PARTITION BY w.id ORDER BY emitted.id) AS position,
      count(*) OVER (PARTITION BY w.id) AS count
    FROM emitted JOIN webhooks w ON w.organization_id = emitted.organization_id AND w.active
      AND emitted.type = ANY (w.event_types)
  ), paced AS (
    INSERT INTO webhook_import_paces AS p (organization_id, webhook_id, paced_until)
    SELECT organization_id, webhook_id, ${NOW} + count * ${SPACING}
    FROM subscribed WHERE position = 1 ORDER BY webhook_id
    ON CONFLICT (organization_id, webhook_id) DO UPDATE
      SET paced_until = greatest(p.paced_until, ${NOW}) + (excluded.paced_until - ${NOW})
    RETURNING webhook_id, paced_until
  ), queued AS (
    INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
    SELECT organization_id, webhook_id, id, tx, type, now(), paced_until - (count - position) * ${SPACING}
      FROM subscribed JOIN paced USING (webhook_id)
  )`;

/**
 * The webhooks of {@link FAN_OUT} as one array. It is DISTINCT, because the statement returns it with each row: for
 * many records and webhooks it would be their product, once per record.
 */
export const QUEUED_WEBHOOKS = "ARRAY(SELECT DISTINCT webhook_id FROM queued)";

/** The webhooks of {@link PACED_FAN_OUT} as one array. */
export const PACED_WEBHOOKS = "ARRAY(SELECT webhook_id FROM paced)";
