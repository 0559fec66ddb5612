import { newId, timeOf } from "@/lib/ids";
import { sendTest } from "@/lib/webhooks/deliveries/send-test";
import { expandEventTypes } from "@/lib/webhooks/endpoints/webhook-fields";
import { generateSecret } from "@/lib/webhooks/endpoints/webhook-secret";
import { sealSecret } from "@/lib/webhooks/sending/signing";
import { run } from "@/tests/records/support/write-operations";
import { pool } from "@/tests/support/owner";

import type { Side } from "@/tests/http/matrix/support/side";

const WEBHOOK = `
  INSERT INTO webhooks
    (organization_id, id, created_at, updated_at, url_set_by_id, url, description, events, event_types, secret)
  VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9)`;
const FAIL = `
  UPDATE webhook_deliveries SET state = 'failed', attempts = 1, tries = 1, next_attempt_at = NULL
  WHERE organization_id = $1 AND webhook_id = $2 AND event_id = $3`;
const ATTEMPT = `
  INSERT INTO webhook_attempts
    (organization_id, webhook_id, event_id, number, attempted_at, url,
      latency_ms, status, error, response_headers, response_body)
  VALUES ($1, $2, $3, 1, now(), $6, 12, 500, $4, $5, $4)`;

const EVENTS = ["account.*", "opportunity.*"];

/**
 * A webhook with an undelivered test event. Stored directly: an organization may not create as many as the tests need.
 */
export async function makeWebhook({
  context,
  organizationId,
  userId,
  marker,
}: Side): Promise<{ id: string; event_id: string }> {
  const id = newId();
  const url = `https://${marker}.example/hooks`;
  const endpoint = [
    url,
    `${marker} webhook`,
    EVENTS,
    expandEventTypes(EVENTS),
    sealSecret({ organizationId, webhookId: id }, "secret", generateSecret()),
  ];
  await pool().query(WEBHOOK, [organizationId, id, timeOf(id), userId, ...endpoint]);
  const event_id = String((await run(sendTest, context, { id })).event_id);
  await pool().query(FAIL, [organizationId, id, event_id]);
  await pool().query(ATTEMPT, [organizationId, id, event_id, `${marker} is why`, { server: marker }, url]);
  return { id, event_id };
}
