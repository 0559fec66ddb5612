import { z } from "zod";

import { pool } from "@/lib/database/db";
import { retriedTransaction } from "@/lib/database/retried-transaction";
import { AppError } from "@/lib/errors";
import { minIdAt } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { DELIVERY_DAYS } from "@/lib/webhooks/deliveries/delivery-schema";
import { queueMissed } from "@/lib/webhooks/deliveries/queue-missed";
import { hostOf } from "@/lib/webhooks/endpoints/webhook-fields";
import { assertWebhookExists, webhookDisabled } from "@/lib/webhooks/endpoints/webhook-rows";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { enqueueAfterCommit } from "@/lib/webhooks/fan-out";

const SINCE_FAULT = "`since` must be a time with its offset, like 2026-12-31T09:30:00Z.";

const DAY = 24 * 3600 * 1000;

/** By how much the caller's clock may be ahead of ours. */
const CLOCK_LEEWAY = 60_000;

const sinceInput = z.iso
  .datetime({ offset: true, error: SINCE_FAULT })
  .refine((given) => !given.startsWith("0000"), SINCE_FAULT)
  .describe(
    `Since when: what happened then or later is made up for. At most ${DELIVERY_DAYS} days ago, and not in the future.`,
  );

/**
 * Asked again, it queues what the first time has not: a request that breaks off half-way is repeated. So that it was
 * asked is told before it is done.
 */
export const recoverWebhook = defineOperation({
  name: "recover_webhook",
  summary:
    "Send what a webhook has missed since a moment: what failed or waits to be tried again, and of the types that " +
    "it subscribes to now, " +
    "what happened while it was switched off or did not subscribe to them. What else is pending keeps its turn.",
  scopes: ["crm:write"],
  adminsOnly: true,
  stores: true,
  input: z.strictObject({ id: pathId("webhook"), since: sinceInput }),
  output: z.object({
    queued: z
      .int()
      .describe("How many deliveries are sent now. What else is pending keeps its turn and is not counted."),
  }),
  async run({ organizationId, userId, clientId, address }, { id, since }) {
    const { active, url } = await assertWebhookExists(organizationId, id);
    if (!active) throw webhookDisabled("nothing can be recovered");
    const from = parseSince(since, Date.now());
    const key = { organizationId, webhookId: id };
    const details = { webhook_id: id, host: hostOf(url), since: from.toISOString() };
    await recordAudit(pool(), { organizationId, action: "webhook.recovered", address, userId, clientId, details });
    return { queued: (await requeueFailed(key, from)) + (await queueMissed(key, from)) };
  },
});

/**
 * Throws `invalid_request` for what is forgotten already, and for what has not been yet: a slip would look as if
 * nothing had been missed.
 */
function parseSince(since: string, now: number): Date {
  const time = Date.parse(since);
  if (time < now - DELIVERY_DAYS * DAY)
    throw invalidSince(`\`since\` must lie within the last ${DELIVERY_DAYS} days: older events are forgotten.`);
  if (time > now + CLOCK_LEEWAY) {
    throw invalidSince(
      `\`since\` lies in the future, where nothing has been missed yet: it is now ${new Date(now).toISOString()}.`,
    );
  }
  return new Date(time);
}

function invalidSince(detail: string): AppError {
  return new AppError("invalid_request", detail, { errors: [{ pointer: "/since", code: "invalid_value", detail }] });
}

/** How many deliveries are looked at in one transaction, so that none holds up whoever records attempts. */
const BATCH_SIZE = 5000;

/**
 * An event's id is made while its transaction is under way, by another clock than the database's: within an hour of its
 * moment.
 */
const MAX_CLOCK_SKEW_MS = 3_600_000;

/** What was never tried, or is due already, is left to its turn. */
const UNDELIVERED = "(d.state = 'failed' OR (d.state = 'pending' AND d.attempts > 0 AND d.next_attempt_at > now()))";

/** $3: behind this event. */
const IN_BATCH =
  "d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id > $3 AND d.event_id <= (SELECT event_id FROM last)";

/**
 * One stretch of a webhook's deliveries by their key; $4: since. Rows are held in the order of their key, as whoever
 * records attempts holds them, and looked at once more then, since they may have been waited for.
 */
const REQUEUE = `
  WITH stretch AS MATERIALIZED (
    SELECT event_id FROM webhook_deliveries WHERE organization_id = $1 AND webhook_id = $2 AND event_id > $3 ORDER BY event_id LIMIT ${BATCH_SIZE}
  ), last AS MATERIALIZED (
    SELECT event_id FROM stretch ORDER BY event_id DESC LIMIT 1
  ), held AS MATERIALIZED (
    SELECT d.event_id FROM webhook_deliveries d WHERE ${IN_BATCH} AND d.created_at >= $4 AND ${UNDELIVERED} ORDER BY d.event_id FOR UPDATE
  ), queued AS (
    UPDATE webhook_deliveries d SET state = 'pending', tries = 0, next_attempt_at = now()
    WHERE ${IN_BATCH} AND d.event_id = ANY (ARRAY(SELECT event_id FROM held)) AND ${UNDELIVERED} RETURNING d.event_id
  )
  SELECT (SELECT count(*)::int FROM stretch) AS seen, (SELECT count(*)::int FROM queued) AS queued, (SELECT event_id FROM last) AS last`;

interface Batch {
  seen: number;
  queued: number;
  last: string | null;
}

/**
 * Makes due what failed since a moment or waits to be tried again, and has it sent. Gives how many deliveries these
 * are.
 */
async function requeueFailed({ organizationId, webhookId }: WebhookKey, since: Date): Promise<number> {
  let total = 0;
  let behind: string | null = minIdAt(new Date(since.getTime() - MAX_CLOCK_SKEW_MS));
  while (behind !== null) {
    const { seen, queued, last }: Batch = await retriedTransaction(async (client) => {
      const { rows } = await client.query<Batch>(REQUEUE, [organizationId, webhookId, behind, since]);
      const [stretch = { seen: 0, queued: 0, last: null }] = rows;
      if (stretch.queued > 0) enqueueAfterCommit(client, organizationId, [webhookId]);
      return stretch;
    });
    total += queued;
    behind = seen === BATCH_SIZE ? last : null;
  }
  return total;
}
