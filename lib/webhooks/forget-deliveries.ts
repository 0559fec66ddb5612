import { DELETE_BATCH, deleteInBatches } from "@/lib/delete-in-batches";
import { log } from "@/lib/log";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** A request must not take minutes over it; nothing refers to what is left, and it goes with what is old. */
const MOST_BATCHES = 40;

/** One batch. What somebody holds is left: an attempt is being recorded on it, or an import tells. */
function forgetText(table: string): string {
  return `WITH found AS MATERIALIZED (
      SELECT ctid AS place FROM ${table} WHERE organization_id = $1 AND webhook_id = $2 LIMIT ${DELETE_BATCH} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM ${table} d USING found WHERE d.ctid = found.place`;
}

/** Forgets what was sent to a webhook that is gone. It never fails: what it leaves is never shown, and is forgotten in thirty days. */
export async function forgetDeliveries({ organizationId, webhookId }: WebhookKey): Promise<void> {
  try {
    for (const table of ["webhook_attempts", "webhook_deliveries", "webhook_import_paces"]) {
      await deleteInBatches(forgetText(table), [organizationId, webhookId], MOST_BATCHES);
    }
  } catch (error) {
    log.error({ err: error, organization_id: organizationId, webhook_id: webhookId }, "could not forget the deliveries of a deleted webhook");
  }
}
