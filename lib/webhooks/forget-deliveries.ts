import { pool } from "@/lib/db";
import { log } from "@/lib/log";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

const BATCH = 5000;
/** A request must not take minutes over it; nothing refers to what is left, and it goes with what is old. */
const MOST_BATCHES = 40;

/** One batch. What somebody holds is left: an attempt is being recorded on it. */
function forgetText(table: string): string {
  return `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE organization_id = $1 AND webhook_id = $2 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;
}

/** Forgets what was sent to a webhook that is gone. It never fails: what it leaves is never shown, and is forgotten in thirty days. */
export async function forgetDeliveries({ organizationId, webhookId }: WebhookKey): Promise<void> {
  try {
    for (const table of ["webhook_attempts", "webhook_deliveries"]) {
      for (let gone = BATCH, batches = 0; gone === BATCH && batches < MOST_BATCHES; batches += 1) {
        gone = (await pool().query(forgetText(table), [organizationId, webhookId])).rowCount ?? 0;
      }
    }
  } catch (error) {
    log.error({ err: error, organization_id: organizationId, webhook_id: webhookId }, "could not forget the deliveries of a deleted webhook");
  }
}
