import { pool } from "@/lib/db";
import { newId } from "@/lib/ids";
import { requestJob } from "@/lib/jobs";

/** What has been due for so long was forgotten, or waits behind a drain that is under way; asking once more does no harm. */
const FORGOTTEN_AFTER = "10 seconds";

/** All organizations: this is housekeeping, and shows nothing to anybody. */
const FORGOTTEN = `
  SELECT w.organization_id, w.id AS webhook_id FROM webhooks w
  WHERE w.active AND EXISTS (
    SELECT FROM webhook_deliveries d WHERE d.organization_id = w.organization_id AND d.webhook_id = w.id
      AND d.next_attempt_at < now() - interval '${FORGOTTEN_AFTER}'
  )`;

/** Asks for a drain of every webhook that has something to be sent and seems to be forgotten. Returns how many there are. */
export async function askForForgotten(): Promise<number> {
  const { rows } = await pool().query<{ organization_id: string; webhook_id: string }>(FORGOTTEN);
  for (const key of rows) await requestJob("webhooks/drain.requested", key, newId());
  return rows.length;
}
