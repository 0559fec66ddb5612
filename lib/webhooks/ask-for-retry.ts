import { endsWithin } from "@/lib/ends-within";
import { requestJob } from "@/lib/jobs";
import { log } from "@/lib/log";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** For longer no recording waits until a retry has been asked for. */
const PATIENCE_MS = 1000;

/**
 * Asks for a drain at `due`, or within the second that follows: deliveries that are due within one second wait for one another, and of many that ask for
 * it one does, since an event of the same id counts once. It never fails, and takes a second at most: the sweeper finds what has been due for a while.
 */
export async function askForRetry({ organizationId, webhookId }: WebhookKey, due: Date): Promise<void> {
  // What is due by this clock and not by the database's has had its drain, which came too early.
  const at = new Date(Math.ceil(Math.max(due.getTime(), Date.now()) / 1000) * 1000).toISOString();
  const names = { organization_id: organizationId, webhook_id: webhookId };
  try {
    const asking = requestJob("webhooks/retry.scheduled", { ...names, at }, `${webhookId}:${at}`);
    if (!(await endsWithin(PATIENCE_MS, asking))) log.warn(names, "asking for a webhook's retry takes long; it is not waited for");
  } catch (error) {
    log.error({ err: error, ...names }, "could not ask for a webhook's retry; the sweeper will");
  }
}
