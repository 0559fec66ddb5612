import { pool } from "@/lib/db";

/** How long deliveries and their attempts are kept. */
export const DELIVERY_DAYS = 30;

const BATCH = 5000;

/** One batch of a table's old rows, all organizations: also what a webhook left behind that was deleted. */
function forgetText(table: string, time: string): string {
  return `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${time} < now() - interval '${DELIVERY_DAYS} days' LIMIT ${BATCH})`;
}

/** Forgets deliveries and attempts of more than thirty days ago. Gives how many deliveries. */
export async function purgeDeliveries(): Promise<number> {
  await purge(forgetText("webhook_attempts", "attempted_at"));
  return purge(forgetText("webhook_deliveries", "created_at"));
}

async function purge(text: string): Promise<number> {
  let total = 0;
  for (let gone = BATCH; gone === BATCH; total += gone) gone = (await pool().query(text)).rowCount ?? 0;
  return total;
}
