import { lowestIdAt } from "@/lib/ids";
import { retriedTransaction } from "@/lib/retried-transaction";
import { sendAfterCommit } from "@/lib/webhooks/fan-out";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** How many deliveries are looked at in one transaction, so that none holds up whoever records attempts. */
const BATCH = 5000;

/** An event's id is made while its transaction is under way, by another clock than the database's: within an hour of its moment. */
const APART_MS = 3_600_000;

/** What was never tried, or is due already, is left to its turn. */
const UNDELIVERED = "(d.state = 'failed' OR (d.state = 'pending' AND d.attempts > 0 AND d.next_attempt_at > now()))";

/** $3: behind this event. */
const IN_STRETCH = "d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id > $3 AND d.event_id <= (SELECT event_id FROM last)";

/**
 * One stretch of a webhook's deliveries by their key; $4: since. Rows are held in the order of their key, as whoever records attempts holds them, and
 * looked at once more then, since they may have been waited for.
 */
const REQUEUE = `
  WITH stretch AS MATERIALIZED (
    SELECT event_id FROM webhook_deliveries WHERE organization_id = $1 AND webhook_id = $2 AND event_id > $3 ORDER BY event_id LIMIT ${BATCH}
  ), last AS MATERIALIZED (
    SELECT event_id FROM stretch ORDER BY event_id DESC LIMIT 1
  ), held AS MATERIALIZED (
    SELECT d.event_id FROM webhook_deliveries d WHERE ${IN_STRETCH} AND d.created_at >= $4 AND ${UNDELIVERED} ORDER BY d.event_id FOR UPDATE
  ), queued AS (
    UPDATE webhook_deliveries d SET state = 'pending', tries = 0, next_attempt_at = now()
    WHERE ${IN_STRETCH} AND d.event_id = ANY (ARRAY(SELECT event_id FROM held)) AND ${UNDELIVERED} RETURNING d.event_id
  )
  SELECT (SELECT count(*)::int FROM stretch) AS seen, (SELECT count(*)::int FROM queued) AS queued, (SELECT event_id FROM last) AS last`;

interface Stretch {
  seen: number;
  queued: number;
  last: string | null;
}

/** Makes due what failed since a moment or waits to be tried again, and has it sent. Gives how many deliveries these are. */
export async function queueUndelivered({ organizationId, webhookId }: WebhookKey, since: Date): Promise<number> {
  let total = 0;
  let behind: string | null = lowestIdAt(new Date(since.getTime() - APART_MS));
  while (behind !== null) {
    const { seen, queued, last }: Stretch = await retriedTransaction(async (client) => {
      const { rows } = await client.query<Stretch>(REQUEUE, [organizationId, webhookId, behind, since]);
      const [stretch = { seen: 0, queued: 0, last: null }] = rows;
      if (stretch.queued > 0) sendAfterCommit(client, organizationId, [webhookId]);
      return stretch;
    });
    total += queued;
    behind = seen === BATCH ? last : null;
  }
  return total;
}
