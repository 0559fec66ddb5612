import { DELETE_BATCH, deleteInBatches } from "@/lib/delete-in-batches";
import { acrossOrganizations } from "@/lib/organization-scope";
import { DELIVERY_DAYS } from "@/lib/webhooks/delivery-schema";

/** One batch of a table's old rows, all organizations: also what a webhook left behind that was deleted. */
function forgetText(table: string, time: string): string {
  return `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${time} < now() - interval '${DELIVERY_DAYS} days' LIMIT ${DELETE_BATCH})`;
}

/** One batch of what paces no import any more. What an import holds is left. */
const FORGET_PACES = `DELETE FROM webhook_import_paces WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM webhook_import_paces WHERE paced_until < now() LIMIT ${DELETE_BATCH} FOR UPDATE SKIP LOCKED))`;

/** Forgets deliveries and attempts of more than thirty days ago, and what paces imports that are over. Gives how many deliveries. */
export function purgeDeliveries(): Promise<number> {
  return acrossOrganizations(async () => {
    await deleteInBatches(FORGET_PACES);
    await deleteInBatches(forgetText("webhook_attempts", "attempted_at"));
    return deleteInBatches(forgetText("webhook_deliveries", "created_at"));
  });
}
