import type { PoolClient } from "pg";

import { log } from "@/lib/log";
import { recordAudit } from "@/lib/security/audit";
import { hostOf } from "@/lib/webhooks/endpoints/webhook-fields";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";

/** A webhook whose endpoint has accepted nothing for so many days is switched off. */
const DISABLE_AFTER_DAYS = 5;

/**
 * But only if it fails now as well: one event has failed so many times, or has used up its retries. That takes hours.
 */
const MIN_FAILED_TRIES = 5;

/** The last known success, including the one that is being recorded. */
const LAST_DELIVERED = "greatest(last_delivered_at, $3)";

/**
 * $3: the last success or null. $4: all failures. $5: the URL that they were sent to, which may have changed since.
 * Attempts are not recorded in the order in which they are made, so `failing_since` is the first failure after the last
 * success, whichever was recorded first. Of failures recorded earlier, only the first and the last are known.
 */
const NOTE_HEALTH = `
  UPDATE webhooks SET last_delivered_at = ${LAST_DELIVERED},
    last_failed_at = greatest(last_failed_at, (SELECT max(f) FROM unnest($4::timestamptz[]) AS f)),
    failing_since = coalesce(
      least(
        CASE WHEN ${LAST_DELIVERED} IS NULL OR failing_since > ${LAST_DELIVERED} THEN failing_since END,
        (SELECT min(f) FROM unnest($4::timestamptz[]) AS f WHERE ${LAST_DELIVERED} IS NULL OR f > ${LAST_DELIVERED})
      ),
      CASE WHEN failing_since <= ${LAST_DELIVERED} AND last_failed_at > ${LAST_DELIVERED} THEN last_failed_at END
    )
  WHERE organization_id = $1 AND id = $2 AND url = $5
  RETURNING active AND failing_since < now() - interval '${DISABLE_AFTER_DAYS} days' AS exhausted`;

const SWITCH_OFF = `
  UPDATE webhooks SET active = false, disabled_at = now(), disabled_reason = $3, updated_at = now(),
    version = version + 1
  WHERE organization_id = $1 AND id = $2 AND url = $4 AND active`;

export interface RecordedAttempt {
  attempted_at: Date;
  url: string;
  status: number | null;
  error: string | null;
  tries: number;
  state: string;
}

/**
 * Updates the health of a webhook by the attempts that were sent to `url`, and switches it off if they say so. Nothing
 * happens if the webhook has another URL by now.
 */
export async function updateHealth(
  client: PoolClient,
  { organizationId, webhookId }: WebhookKey,
  url: string,
  rows: readonly RecordedAttempt[],
): Promise<void> {
  const key = [organizationId, webhookId];
  const moments = (failed: boolean) =>
    rows.filter(({ error }) => (error !== null) === failed).map(({ attempted_at }) => attempted_at);
  const values = [...key, latest(moments(false)), moments(true), url];
  const { rows: noted } = await client.query<{ exhausted: boolean | null }>({
    name: "webhooks-health",
    text: NOTE_HEALTH,
    values,
  });
  const isGone = rows.some(({ status }) => status === 410);
  if (!isGone && !(noted[0]?.exhausted && rows.some(hasFailedOften))) return;
  const reason = isGone ? "gone" : "failing";
  if ((await client.query(SWITCH_OFF, [...key, reason, url])).rowCount === 0) return;
  const details = { webhook_id: webhookId, host: hostOf(url), reason };
  await recordAudit(client, { organizationId, action: "webhook.disabled", address: null, details });
  log.warn({ organization_id: organizationId, webhook_id: webhookId, reason }, "webhook switched off");
}

function hasFailedOften({ tries, state }: RecordedAttempt): boolean {
  return state === "failed" || (state === "pending" && tries + 1 >= MIN_FAILED_TRIES);
}

function latest(times: readonly Date[]): Date | null {
  return times.length > 0 ? new Date(Math.max(...times.map(Number))) : null;
}
