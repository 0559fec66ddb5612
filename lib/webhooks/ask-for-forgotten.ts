import { pool } from "@/lib/db";
import { newId } from "@/lib/ids";
import { requestJob } from "@/lib/jobs";
import { acrossOrganizations } from "@/lib/organization-scope";
import { TEST_EVENT } from "@/lib/webhooks/catalogue";

/** What has been due for so long was forgotten, or waits behind others that are under way; asking once more does no harm. */
const FORGOTTEN_AFTER = "10 seconds";

const FORGOTTEN_DELIVERY = `SELECT FROM webhook_deliveries d
  WHERE d.organization_id = w.organization_id AND d.webhook_id = w.id AND d.next_attempt_at < now() - interval '${FORGOTTEN_AFTER}'`;

/** All organizations: this is housekeeping, and shows nothing to anybody. Test events go to a webhook that is switched off as well. */
const FORGOTTEN = `
  SELECT w.organization_id, w.id AS webhook_id FROM webhooks w
  WHERE CASE WHEN w.active THEN EXISTS (${FORGOTTEN_DELIVERY})
    ELSE EXISTS (${FORGOTTEN_DELIVERY} AND d.state = 'pending' AND d.type = '${TEST_EVENT}') END`;

/** Asks for a drain of every webhook that has something to be sent and seems to be forgotten. Returns how many there are. */
export async function askForForgotten(): Promise<number> {
  const { rows } = await acrossOrganizations(() => pool().query<{ organization_id: string; webhook_id: string }>(FORGOTTEN));
  for (const key of rows) await requestJob("webhooks/drain.requested", key, newId());
  return rows.length;
}
