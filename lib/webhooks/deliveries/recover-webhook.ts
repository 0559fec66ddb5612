import { z } from "zod";

import { pool, retriedTransaction, withoutCommitTask } from "@/lib/database/db";
import { RESENT_DUE } from "@/lib/webhooks/sending/claim-deliveries";
import { enqueueAfterCommit } from "@/lib/webhooks/sending/enqueue-drain";
import { AppError } from "@/lib/errors";
import { minIdAt } from "@/lib/ids";
import { momentInput, pathId } from "@/lib/input/ids-and-times";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { DELIVERY_DAYS, MAX_CLOCK_SKEW_MS } from "@/lib/webhooks/deliveries/limits";
import { queueMissed } from "@/lib/webhooks/deliveries/queue-missed";
import { hostOf } from "@/lib/webhooks/endpoints/webhook-fields";
import { assertWebhookExists, webhookDisabled } from "@/lib/webhooks/endpoints/webhook-rows";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";

const SINCE_FAULT = "`since` must be a time with its offset, like 2026-12-31T09:30:00Z.";

const DAY = 24 * 3600 * 1000;

/** How far the caller's clock may be ahead. */
const CLOCK_LEEWAY = 60_000;

const sinceInput = momentInput(SINCE_FAULT).describe(
  `Events from this time on are sent. At most ${DELIVERY_DAYS} days ago, and not in the future.`,
);

/**
 * A repeat queues what the first request did not, so a request that broke off can be repeated, under its idempotency
 * key too: no batch marks the key. The audit log records it before it runs for the same reason.
 */
export const recoverWebhook = defineOperation({
  name: "recover_webhook",
  summary:
    "Send what a webhook has missed since a time: what failed or waits for a retry, and, of the types that it " +
    "subscribes to now, what happened while it was switched off or did not subscribe to them. Other pending " +
    "deliveries keep their turn.",
  scopes: ["crm:write"],
  adminsOnly: true,
  stores: true,
  status: 202,
  input: z.strictObject({ id: pathId("webhook"), since: sinceInput }),
  output: z.object({
    queued: z
      .int()
      .describe("How many deliveries are sent now. Other pending deliveries keep their turn and are not counted."),
  }),
  async run({ organizationId, userId, clientId, address }, { id, since }) {
    const { active, url } = await assertWebhookExists(organizationId, id);
    if (!active) throw webhookDisabled("nothing can be recovered");
    const from = parseSince(since, Date.now());
    const key = { organizationId, webhookId: id };
    const details = { webhook_id: id, host: hostOf(url), since: from.toISOString() };
    await recordAudit(pool(), { organizationId, userId, address }, "webhook.recovered", { clientId, details });
    return withoutCommitTask(async () => ({
      queued: (await requeueFailed(key, from)) + (await queueMissed(key, from)),
    }));
  },
});

/** Throws `invalid_request` for a time that is purged or in the future: a typo would look as if nothing was missed. */
function parseSince(since: string, now: number): Date {
  const time = Date.parse(since);
  if (time < now - DELIVERY_DAYS * DAY)
    throw invalidSince(`\`since\` must lie within the last ${DELIVERY_DAYS} days: older events have been deleted.`);
  if (time > now + CLOCK_LEEWAY) {
    throw invalidSince(`\`since\` is in the future: it is now ${new Date(now).toISOString()}.`);
  }
  return new Date(time);
}

function invalidSince(detail: string): AppError {
  return new AppError("invalid_request", detail, { errors: [{ pointer: "/since", code: "invalid_value", detail }] });
}

/** The most deliveries of one transaction, so that recording attempts does not wait long for it. */
const BATCH_SIZE = 5000;

/** Deliveries that were never tried, or are due already, keep their turn. */
const UNDELIVERED = "(d.state = 'failed' OR (d.state = 'pending' AND d.attempts > 0 AND d.next_attempt_at > now()))";

/** $3: the event id to start after. */
const IN_BATCH =
  "d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id > $3 AND d.event_id <= (SELECT event_id FROM last)";

/**
 * Requeues a batch of a webhook's deliveries, in the order of their key. $4: the earliest time. Rows are locked in the
 * order in which attempts are recorded, and checked again after the lock, since they may have changed meanwhile.
 */
const REQUEUE = `
  WITH batch AS MATERIALIZED (
    SELECT event_id FROM webhook_deliveries WHERE organization_id = $1 AND webhook_id = $2 AND event_id > $3
      ORDER BY event_id LIMIT ${BATCH_SIZE}
  ), last AS MATERIALIZED (
    SELECT event_id FROM batch ORDER BY event_id DESC LIMIT 1
  ), locked AS MATERIALIZED (
    SELECT d.event_id FROM webhook_deliveries d WHERE ${IN_BATCH} AND d.created_at >= $4 AND ${UNDELIVERED}
      ORDER BY d.event_id FOR UPDATE
  ), queued AS (
    UPDATE webhook_deliveries d SET state = 'pending', tries = 0, next_attempt_at = ${RESENT_DUE}
    WHERE ${IN_BATCH} AND d.event_id = ANY (ARRAY(SELECT event_id FROM locked)) AND ${UNDELIVERED} RETURNING d.event_id
  )
  SELECT (SELECT count(*)::int FROM batch) AS seen, (SELECT count(*)::int FROM queued) AS queued,
    (SELECT event_id FROM last) AS last`;

interface Batch {
  seen: number;
  queued: number;
  last: string | null;
}

/**
 * Makes deliveries due that have failed since a time or wait for a retry, and enqueues a drain. Returns their number.
 */
async function requeueFailed({ organizationId, webhookId }: WebhookKey, since: Date): Promise<number> {
  let total = 0;
  let after: string | null = minIdAt(new Date(since.getTime() - MAX_CLOCK_SKEW_MS));
  while (after !== null) {
    const { seen, queued, last }: Batch = await retriedTransaction(async (client) => {
      const { rows } = await client.query<Batch>(REQUEUE, [organizationId, webhookId, after, since]);
      const [batch = { seen: 0, queued: 0, last: null }] = rows;
      if (batch.queued > 0) enqueueAfterCommit(client, organizationId, [webhookId]);
      return batch;
    });
    total += queued;
    after = seen === BATCH_SIZE ? last : null;
  }
  return total;
}
