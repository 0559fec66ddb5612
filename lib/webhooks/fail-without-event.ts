import { pool } from "@/lib/db";
import { log } from "@/lib/log";
import { inOrganization } from "@/lib/organization-scope";
import { EVENT_GONE } from "@/lib/webhooks/delivery-schema";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** $3: events whose deliveries are ours; held in the order in which all hold several. $4: where they would have gone. $5: why they have failed. */
const FAIL = `
  WITH held AS MATERIALIZED (
    SELECT d.ctid AS place FROM webhook_deliveries d
    WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id = ANY ($3::uuid[]) ORDER BY d.event_id FOR UPDATE
  ), failed AS (
    UPDATE webhook_deliveries d SET state = 'failed', next_attempt_at = NULL, tries = d.tries + 1, attempts = d.attempts + 1
    FROM held WHERE d.ctid = held.place RETURNING d.event_id, d.attempts
  )
  INSERT INTO webhook_attempts (organization_id, webhook_id, event_id, number, attempted_at, url, latency_ms, error)
  SELECT $1, $2, event_id, attempts, now(), $4, 0, $5 FROM failed`;

/**
 * Has deliveries fail for good whose event is gone: due for ever, they would be looked at for ever. It never fails: what it leaves is claimed again, and
 * what was claimed with it must not wait.
 */
export async function failWithoutEvent({ organizationId, webhookId }: WebhookKey, url: string, eventIds: readonly string[]): Promise<void> {
  const names = { organization_id: organizationId, webhook_id: webhookId, count: eventIds.length };
  try {
    await inOrganization(organizationId, () => pool().query(FAIL, [organizationId, webhookId, eventIds, url, EVENT_GONE]));
    log.warn(names, "webhook deliveries had no event");
  } catch (error) {
    log.error({ err: error, ...names }, "could not record that webhook deliveries have no event");
  }
}
