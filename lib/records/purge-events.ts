import { DELETE_BATCH, deleteInBatches } from "@/lib/delete-in-batches";
import { inEachOrganization } from "@/lib/in-each-organization";
import { EVENT_DAYS } from "@/lib/records/events-page";

/** The order of events is not quite that of their times: a day more keeps every event that a cursor within the promised days leads to. */
const KEPT_DAYS = EVENT_DAYS + 1;

const FORGET = `
  DELETE FROM events WHERE ctid IN (
    SELECT ctid FROM events WHERE organization_id = $1 AND created_at < now() - $2 * interval '1 day' LIMIT ${DELETE_BATCH})`;

/** Forgets events that nobody is promised any more. Gives how many. */
export async function purgeEvents(): Promise<number> {
  let total = 0;
  await inEachOrganization(async (id) => void (total += await deleteInBatches(FORGET, [id, KEPT_DAYS])));
  return total;
}
