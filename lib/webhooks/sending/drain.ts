import { pool } from "@/lib/database/db";
import { enqueueRetry } from "@/lib/webhooks/sending/enqueue-drain";
import { inOrganization } from "@/lib/database/organization-scope";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { findNextDue } from "@/lib/webhooks/sending/claim-deliveries";
import { Dispatcher } from "@/lib/webhooks/sending/dispatcher";

/** What a drain leaves behind. */
export interface DrainResult {
  /** Deliveries that this process has in flight. */
  inFlight: number;
  /** When the next one is due; a drain is enqueued for that time. */
  nextDue: Date | null;
}

/** This drain sees the deliveries written before; whoever writes one from now on enqueues another drain. */
const CLEAR_MARK =
  "UPDATE webhooks SET drain_asked_at = NULL WHERE organization_id = $1 AND id = $2 AND drain_asked_at IS NOT NULL";

/**
 * Starts the due deliveries of one webhook and returns without waiting for them, so that no endpoint holds a job up.
 * The dispatcher records the attempts and goes on with the deliveries that found no free slot. When the process dies,
 * its deliveries are due again after their lease, under the same `webhook-id`.
 */
export function drain(key: WebhookKey): Promise<DrainResult> {
  return inOrganization(key.organizationId, () => drainOne(key));
}

async function drainOne(key: WebhookKey): Promise<DrainResult> {
  await pool().query({ name: "webhooks-begin-drain", text: CLEAR_MARK, values: [key.organizationId, key.webhookId] });
  const dispatcher = Dispatcher.for(key);
  await dispatcher.poll();
  const { eventIds } = dispatcher;
  const nextDue = await findNextDue(key, eventIds);
  if (nextDue) await enqueueRetry(key, nextDue);
  return { inFlight: eventIds.length, nextDue };
}
