import { z } from "zod";

import { recordAudit } from "@/lib/audit";
import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/id-input";
import { defineOperation } from "@/lib/operation";
import { DELIVERY_DAYS } from "@/lib/webhooks/delivery-schema";
import { queueMissed } from "@/lib/webhooks/queue-missed";
import { queueUndelivered } from "@/lib/webhooks/queue-undelivered";
import { hostOf } from "@/lib/webhooks/webhook-fields";
import { requireWebhook, webhookIsOff } from "@/lib/webhooks/webhook-view";

const SINCE_FAULT = "`since` must be a time with its offset, like 2026-12-31T09:30:00Z.";
const DAY = 24 * 3600 * 1000;
/** By how much the caller's clock may be ahead of ours. */
const CLOCK_LEEWAY = 60_000;

const sinceInput = z.iso
  .datetime({ offset: true, error: SINCE_FAULT })
  .refine((given) => !given.startsWith("0000"), SINCE_FAULT)
  .describe(`Since when: what happened then or later is made up for. At most ${DELIVERY_DAYS} days ago, and not in the future.`);

/** Asked again, it queues what the first time has not: a request that breaks off half-way is repeated. So that it was asked is told before it is done. */
export const recoverWebhook = defineOperation({
  name: "recover_webhook",
  summary:
    "Send what a webhook has missed since a moment: what failed or waits to be tried again, and of the types that it subscribes to now, " +
    "what happened while it was switched off or did not subscribe to them. What else is pending keeps its turn.",
  scopes: ["crm:write"],
  adminsOnly: true,
  stores: true,
  input: z.strictObject({ id: pathId("webhook"), since: sinceInput }),
  output: z.object({ queued: z.int().describe("How many deliveries are sent now. What else is pending keeps its turn and is not counted.") }),
  async run({ organizationId, userId, clientId, address }, { id, since }) {
    const { active, url } = await requireWebhook(organizationId, id);
    if (!active) throw webhookIsOff("nothing can be recovered");
    const from = readSince(since, Date.now());
    const key = { organizationId, webhookId: id };
    const details = { webhook_id: id, host: hostOf(url), since: from.toISOString() };
    await recordAudit(pool(), { organizationId, action: "webhook.recovered", address, userId, clientId, details });
    return { queued: (await queueUndelivered(key, from)) + (await queueMissed(key, from)) };
  },
});

/** Throws `invalid_request` for what is forgotten already, and for what has not been yet: a slip would look as if nothing had been missed. */
function readSince(since: string, now: number): Date {
  const time = Date.parse(since);
  if (time < now - DELIVERY_DAYS * DAY) throw refused(`\`since\` must lie within the last ${DELIVERY_DAYS} days: older events are forgotten.`);
  if (time > now + CLOCK_LEEWAY) {
    throw refused(`\`since\` lies in the future, where nothing has been missed yet: it is now ${new Date(now).toISOString()}.`);
  }
  return new Date(time);
}

function refused(detail: string): AppError {
  return new AppError("invalid_request", detail, { errors: [{ pointer: "/since", code: "invalid_value", detail }] });
}
