import { DELETE_BATCH, deleteInBatches } from "@/lib/delete-in-batches";

/** How long deliveries and their attempts are kept. */
export const DELIVERY_DAYS = 30;

/** One batch of a table's old rows, all organizations: also what a webhook left behind that was deleted. */
function forgetText(table: string, time: string): string {
  return `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${time} < now() - interval '${DELIVERY_DAYS} days' LIMIT ${DELETE_BATCH})`;
}

/** Forgets deliveries and attempts of more than thirty days ago. Gives how many deliveries. */
export async function purgeDeliveries(): Promise<number> {
  await deleteInBatches(forgetText("webhook_attempts", "attempted_at"));
  return deleteInBatches(forgetText("webhook_deliveries", "created_at"));
}
