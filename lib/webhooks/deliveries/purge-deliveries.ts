import { DELETE_BATCH_SIZE, deleteInBatches } from "@/lib/database/housekeeping";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { log } from "@/lib/log";
import { DELIVERY_DAYS } from "@/lib/webhooks/deliveries/delivery-schema";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";

/** One batch of a table's old rows, all organizations: also what a webhook left behind that was deleted. */
function purgeOldText(table: string, time: string): string {
  return `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table}
    WHERE ${time} < now() - interval '${DELIVERY_DAYS} days' LIMIT ${DELETE_BATCH_SIZE})`;
}

/** One batch of what paces no import any more. What an import holds is left. */
const PURGE_PACES = `DELETE FROM webhook_import_paces WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM webhook_import_paces WHERE paced_until < now() LIMIT ${DELETE_BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;

/**
 * Forgets deliveries and attempts of more than thirty days ago, and what paces imports that are over. Gives how many
 * deliveries.
 */
export function purgeDeliveries(): Promise<number> {
  return acrossOrganizations(async () => {
    await deleteInBatches(PURGE_PACES);
    await deleteInBatches(purgeOldText("webhook_attempts", "attempted_at"));
    return deleteInBatches(purgeOldText("webhook_deliveries", "created_at"));
  });
}

/** A request must not take minutes over it; nothing refers to what is left, and it goes with what is old. */
const MAX_BATCHES = 40;

/** One batch. What somebody holds is left: an attempt is being recorded on it, or an import tells. */
function purgeOfWebhookText(table: string): string {
  return `WITH found AS MATERIALIZED (
      SELECT ctid AS place FROM ${table} WHERE organization_id = $1 AND webhook_id = $2 LIMIT ${DELETE_BATCH_SIZE} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM ${table} d USING found WHERE d.ctid = found.place`;
}

/**
 * Forgets what was sent to a webhook that is gone. It never fails: what it leaves is never shown, and is forgotten in
 * thirty days.
 */
export async function purgeDeliveriesOf({ organizationId, webhookId }: WebhookKey): Promise<void> {
  try {
    for (const table of ["webhook_attempts", "webhook_deliveries", "webhook_import_paces"]) {
      await deleteInBatches(purgeOfWebhookText(table), [organizationId, webhookId], MAX_BATCHES);
    }
  } catch (error) {
    log.error(
      { err: error, organization_id: organizationId, webhook_id: webhookId },
      "could not forget the deliveries of a deleted webhook",
    );
  }
}
