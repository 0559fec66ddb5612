import { DELETE_BATCH_SIZE, deleteInBatches, forEachOrganization } from "@/lib/database/housekeeping";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { minIdAt } from "@/lib/ids";
import { log } from "@/lib/log";
import { DELIVERY_DAYS, MAX_CLOCK_SKEW_MS } from "@/lib/webhooks/deliveries/limits";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";

/**
 * Deletes one batch of an organization's rows of a table whose events are older than an id, those of deleted webhooks
 * included. It goes from webhook to webhook and along each one's events in the primary key, so that it reads no row
 * that stays, wherever the rows lie in the table. $1: the organization. $2: the id.
 */
export function purgeOldText(table: "webhook_attempts" | "webhook_deliveries"): string {
  return `
    WITH RECURSIVE webhook (id) AS (
      (SELECT webhook_id FROM ${table} WHERE organization_id = $1 ORDER BY webhook_id LIMIT 1)
      UNION ALL
      SELECT next.webhook_id FROM webhook w CROSS JOIN LATERAL (
        SELECT webhook_id FROM ${table} WHERE organization_id = $1 AND webhook_id > w.id ORDER BY webhook_id LIMIT 1
      ) AS next
    )
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT old.row FROM webhook w CROSS JOIN LATERAL (
        SELECT ctid AS row FROM ${table} WHERE organization_id = $1 AND webhook_id = w.id AND event_id < $2
        ORDER BY event_id LIMIT ${DELETE_BATCH_SIZE}
      ) AS old LIMIT ${DELETE_BATCH_SIZE}))`;
}

async function purgeOld(table: "webhook_attempts" | "webhook_deliveries"): Promise<number> {
  const before = minIdAt(new Date(Date.now() - DELIVERY_DAYS * 24 * 3_600_000 - MAX_CLOCK_SKEW_MS));
  let total = 0;
  await forEachOrganization(async (id) => void (total += await deleteInBatches(purgeOldText(table), [id, before])));
  return total;
}

/** Purges deliveries of events older than thirty days. Returns how many. */
export function purgeDeliveries(): Promise<number> {
  return purgeOld("webhook_deliveries");
}

/** Purges the attempts of such deliveries. Returns how many. */
export function purgeAttempts(): Promise<number> {
  return purgeOld("webhook_attempts");
}

/** Deletes one batch of the rows that no longer pace an import; rows that an import has locked stay. */
const PURGE_PACES = `DELETE FROM webhook_import_paces WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM webhook_import_paces WHERE paced_until < now() LIMIT ${DELETE_BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;

/** Purges the paces of ended imports. Returns how many. */
export function purgePaces(): Promise<number> {
  return acrossOrganizations(() => deleteInBatches(PURGE_PACES));
}

/** Bounds the time of the request. Nothing refers to the rows that are left; they are purged by their age. */
const MAX_BATCHES = 40;

/** Deletes one batch. Rows stay that somebody has locked to record an attempt or to emit the events of an import. */
function purgeOfWebhookText(table: string): string {
  return `WITH found AS MATERIALIZED (
      SELECT ctid AS row FROM ${table} WHERE organization_id = $1 AND webhook_id = $2 LIMIT ${DELETE_BATCH_SIZE}
        FOR UPDATE SKIP LOCKED
    )
    DELETE FROM ${table} d USING found WHERE d.ctid = found.row`;
}

/**
 * Purges the deliveries of a deleted webhook. It never throws: what is left is never shown, and is purged by its age.
 */
export async function purgeDeliveriesOf({ organizationId, webhookId }: WebhookKey): Promise<void> {
  try {
    for (const table of ["webhook_attempts", "webhook_deliveries", "webhook_import_paces"]) {
      await deleteInBatches(purgeOfWebhookText(table), [organizationId, webhookId], MAX_BATCHES);
    }
  } catch (error) {
    log.error(
      { err: error, organization_id: organizationId, webhook_id: webhookId },
      "could not purge the deliveries of a deleted webhook",
    );
  }
}
