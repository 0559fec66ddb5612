import { pool } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { findNextDue } from "@/lib/webhooks/sending/claim-deliveries";
import { Dispatcher } from "@/lib/webhooks/sending/dispatcher";
import { enqueueRetry } from "@/lib/webhooks/sending/enqueue-drain";

/** What a drain leaves behind. */
export interface DrainResult {
  /** Deliveries that are under way in this process. */
  underWay: number;
  /** When another one is due, for which a retry was asked. */
  nextDue: Date | null;
}

/** Whoever writes a delivery from now on asks for another drain; whatever was written before is seen by this one. */
const CLEAR_MARK =
  "UPDATE webhooks SET drain_asked_at = NULL WHERE organization_id = $1 AND id = $2 AND drain_asked_at IS NOT NULL";

/**
 * Has the due deliveries of one webhook sent. It starts what there is room for and waits for nothing, so that no job is
 * held up by an endpoint: what is under way ends by itself, has its attempts recorded, and is followed by what there
 * was no room for. Where the process dies, what it had begun is due again when its lease is over, under the same
 * `webhook-id`.
 */
export function drain(key: WebhookKey): Promise<DrainResult> {
  return inOrganization(key.organizationId, () => drainOne(key));
}

async function drainOne(key: WebhookKey): Promise<DrainResult> {
  await pool().query({ name: "webhooks-begin-drain", text: CLEAR_MARK, values: [key.organizationId, key.webhookId] });
  const flight = Dispatcher.of(key);
  await flight.look();
  const { eventIds } = flight;
  const nextDue = await findNextDue(key, eventIds);
  if (nextDue) await enqueueRetry(key, nextDue);
  return { underWay: eventIds.length, nextDue };
}
