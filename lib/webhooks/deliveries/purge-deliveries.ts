import { DELETE_BATCH_SIZE, deleteInBatches } from "@/lib/database/housekeeping";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { log } from "@/lib/log";
import { DELIVERY_DAYS } from "@/lib/webhooks/deliveries/limits";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";

/** Deletes one batch of a table's old rows in all organizations, those of deleted webhooks included. */
function purgeOldText(table: string, time: string): string {
  return `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table}
    WHERE ${time} < now() - interval '${DELIVERY_DAYS} days' LIMIT ${DELETE_BATCH_SIZE})`;
}

/** Deletes one batch of the rows that no longer pace an import; rows that an import has locked stay. */
const PURGE_PACES = `DELETE FROM webhook_import_paces WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM webhook_import_paces WHERE paced_until < now() LIMIT ${DELETE_BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;

/**
 * Purges deliveries and attempts older than thirty days, and the pace of ended imports. Returns how many deliveries.
 */
export function purgeDeliveries(): Promise<number> {
  return acrossOrganizations(async () => {
    await deleteInBatches(PURGE_PACES);
    await deleteInBatches(purgeOldText("webhook_attempts", "attempted_at"));
    return deleteInBatches(purgeOldText("webhook_deliveries", "created_at"));
  });
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
