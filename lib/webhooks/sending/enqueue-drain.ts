import { pool } from "@/lib/database/db";
import { inOrganization, acrossOrganizations } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { requestJob } from "@/lib/jobs";
import { log } from "@/lib/log";
import { finishesWithin } from "@/lib/timeout";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { TEST_EVENT } from "@/lib/webhooks/event-types";

/** For longer no request waits until its deliveries have been asked for. */
const ENQUEUE_TIMEOUT_MS = 1000;

/**
 * For longer no connection waits for a webhook that somebody holds: these are everybody's, and each write that tells
 * something would take one.
 */
const LOCK_TIMEOUT_MS = 500;

/**
 * Of many that ask at once, one does: until a drain begins, whoever comes finds that it has been asked for. The setting
 * holds for this statement, which is a transaction of its own, and is made before the first row is locked, like every
 * condition.
 */
const MARK_ENQUEUED = `UPDATE webhooks SET drain_asked_at = now()
  WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND drain_asked_at IS NULL
    AND (SELECT set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true)) IS NOT NULL
  RETURNING id`;

/**
 * Asks for due deliveries to be sent, once they are committed. It never fails, and takes a second at most: the
 * deliveries stand, and the sweeper asks again for what was left behind.
 */
export async function enqueueDrain(organizationId: string, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  const names = { organization_id: organizationId, webhook_ids: webhookIds };
  try {
    const asking = inOrganization(organizationId, () => enqueueUnlessMarked(organizationId, webhookIds));
    const isDone = await finishesWithin(ENQUEUE_TIMEOUT_MS, asking);
    if (!isDone) log.warn(names, "asking for webhook deliveries takes long; it is not waited for");
  } catch (error) {
    log.error({ err: error, ...names }, "could not ask for webhook deliveries; the sweeper will");
  }
}

async function enqueueUnlessMarked(organizationId: string, webhookIds: readonly string[]): Promise<void> {
  const first = await markEnqueued(organizationId, webhookIds);
  if (first)
    await Promise.all(
      first.map((id) =>
        requestJob("webhooks/drain.requested", { organization_id: organizationId, webhook_id: id }, newId()),
      ),
    );
  // Whoever holds a webhook may know nothing of these deliveries. Asking without a note does no harm; in one second,
  // one of many does it.
  else await Promise.all(webhookIds.map((webhookId) => enqueueRetry({ organizationId, webhookId }, new Date())));
}

/**
 * For which webhooks nobody has asked yet; null when that could not be noted in time, or it is not known whether it
 * was.
 */
async function markEnqueued(organizationId: string, webhookIds: readonly string[]): Promise<string[] | null> {
  try {
    const { rows } = await pool().query<{ id: string }>({
      name: "webhooks-ask",
      text: MARK_ENQUEUED,
      values: [organizationId, webhookIds],
    });
    return rows.map(({ id }) => id);
  } catch (error) {
    log.warn(
      { err: error, organization_id: organizationId, webhook_ids: webhookIds },
      "could not note that webhook deliveries are asked for",
    );
    return null;
  }
}

/** For longer no recording waits until a retry has been asked for. */
const ENQUEUE_RETRY_TIMEOUT_MS = 1000;

/**
 * Asks for a drain at `due`, or within the second that follows: deliveries that are due within one second wait for one
 * another, and of many that ask for it one does, since an event of the same id counts once. It never fails, and takes a
 * second at most: the sweeper finds what has been due for a while.
 */
export async function enqueueRetry({ organizationId, webhookId }: WebhookKey, due: Date): Promise<void> {
  // What is due by this clock and not by the database's has had its drain, which came too early.
  const at = new Date(Math.ceil(Math.max(due.getTime(), Date.now()) / 1000) * 1000).toISOString();
  const names = { organization_id: organizationId, webhook_id: webhookId };
  try {
    const asking = requestJob("webhooks/retry.scheduled", { ...names, at }, `${webhookId}:${at}`);
    if (!(await finishesWithin(ENQUEUE_RETRY_TIMEOUT_MS, asking)))
      log.warn(names, "asking for a webhook's retry takes long; it is not waited for");
  } catch (error) {
    log.error({ err: error, ...names }, "could not ask for a webhook's retry; the sweeper will");
  }
}

/**
 * What has been due for so long was forgotten, or waits behind others that are under way; asking once more does no
 * harm.
 */
const OVERDUE_AFTER = "10 seconds";

const OVERDUE_DELIVERY = `SELECT FROM webhook_deliveries d
  WHERE d.organization_id = w.organization_id AND d.webhook_id = w.id AND d.next_attempt_at < now() - interval '${OVERDUE_AFTER}'`;

/**
 * All organizations: this is housekeeping, and shows nothing to anybody. Test events go to a webhook that is switched
 * off as well.
 */
const OVERDUE = `
  SELECT w.organization_id, w.id AS webhook_id FROM webhooks w
  WHERE CASE WHEN w.active THEN EXISTS (${OVERDUE_DELIVERY})
    ELSE EXISTS (${OVERDUE_DELIVERY} AND d.state = 'pending' AND d.type = '${TEST_EVENT}') END`;

/**
 * Asks for a drain of every webhook that has something to be sent and seems to be forgotten. Returns how many there
 * are.
 */
export async function enqueueOverdue(): Promise<number> {
  const { rows } = await acrossOrganizations(() =>
    pool().query<{ organization_id: string; webhook_id: string }>(OVERDUE),
  );
  for (const key of rows) await requestJob("webhooks/drain.requested", key, newId());
  return rows.length;
}
