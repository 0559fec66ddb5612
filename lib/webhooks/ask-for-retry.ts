import { requestJob } from "@/lib/jobs";
import { log } from "@/lib/log";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/**
 * Asks for a drain at `due`, or within the second that follows: deliveries that are due within one second wait for one another, and of many that ask for
 * it one does, since an event of the same id counts once. It never fails: the sweeper finds what has been due for a while.
 */
export async function askForRetry({ organizationId, webhookId }: WebhookKey, due: Date): Promise<void> {
  const at = new Date(Math.ceil(due.getTime() / 1000) * 1000).toISOString();
  try {
    await requestJob("webhooks/retry.scheduled", { organization_id: organizationId, webhook_id: webhookId, at }, `${webhookId}:${at}`);
  } catch (error) {
    log.error({ err: error, organization_id: organizationId, webhook_id: webhookId }, "could not ask for a webhook's retry; the sweeper will");
  }
}
