import type { PoolClient } from "pg";

import { pool, afterCommit } from "@/lib/database/db";
import { inOrganization, acrossOrganizations } from "@/lib/database/organization-scope";
import { TEST_EVENT } from "@/lib/event-format";
import { MIN_UUID, newId } from "@/lib/ids";
import { requestJob } from "@/lib/jobs";
import { log } from "@/lib/log";
import { finishesWithin } from "@/lib/semaphore";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";

/** No request or recording waits longer for the job engine to take a drain. */
const ENQUEUE_TIMEOUT_MS = 1000;

/**
 * How long to wait for a webhook's row that somebody has locked. Every write that emits events to the webhook would
 * otherwise keep a connection of the shared pool.
 */
const LOCK_TIMEOUT_MS = 500;

/**
 * Of many callers at once, one enqueues the drain: until it begins, the others find the mark. The timeout holds for
 * this statement alone, which is its own transaction; like every condition it is evaluated before the first row is
 * locked.
 */
const MARK_ENQUEUED = `UPDATE webhooks SET drain_asked_at = now()
  WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND drain_asked_at IS NULL
    AND (SELECT set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true)) IS NOT NULL
  RETURNING id`;

/**
 * Enqueues a drain of each webhook. Call it after the commit of their deliveries. It never throws and takes a second at
 * most: the deliveries are stored, and the sweeper enqueues drains that are missing.
 */
export async function enqueueDrain(organizationId: string, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  const names = { organization_id: organizationId, webhook_ids: webhookIds };
  try {
    const enqueued = inOrganization(organizationId, () => enqueueUnlessMarked(organizationId, webhookIds));
    const isDone = await finishesWithin(ENQUEUE_TIMEOUT_MS, enqueued);
    if (!isDone) log.warn(names, "enqueueing a webhook drain timed out");
  } catch (error) {
    log.error({ err: error, ...names }, "could not enqueue a webhook drain; the sweeper will");
  }
}

async function enqueueUnlessMarked(organizationId: string, webhookIds: readonly string[]): Promise<void> {
  const marked = await markEnqueued(organizationId, webhookIds);
  if (marked)
    await Promise.all(
      marked.map((id) =>
        requestJob("webhooks/drain.requested", { organization_id: organizationId, webhook_id: id }, newId()),
      ),
    );
  // The transaction that has locked a webhook may not have seen these deliveries. A drain without the mark does no
  // harm, and enqueueRetry enqueues only one a second.
  else await Promise.all(webhookIds.map((webhookId) => enqueueRetry({ organizationId, webhookId }, new Date())));
}

/** Marks webhooks, and returns those that had no mark; null when it could not mark them in time. */
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
      "could not mark that a webhook drain is enqueued",
    );
    return null;
  }
}

/**
 * Enqueues a drain at the end of the second in which `due` lies. Deliveries of one second share it: the engine takes an
 * event id only once. It never throws and takes a second at most: the sweeper finds what it missed.
 */
export async function enqueueRetry({ organizationId, webhookId }: WebhookKey, due: Date): Promise<void> {
  // Never in the past: this clock may be ahead of the database's, and then the drain came too early.
  const at = new Date(Math.ceil(Math.max(due.getTime(), Date.now()) / 1000) * 1000).toISOString();
  const names = { organization_id: organizationId, webhook_id: webhookId };
  try {
    const enqueued = requestJob("webhooks/retry.scheduled", { ...names, at }, `${webhookId}:${at}`);
    if (!(await finishesWithin(ENQUEUE_TIMEOUT_MS, enqueued)))
      log.warn(names, "enqueueing a webhook's retry timed out");
  } catch (error) {
    log.error({ err: error, ...names }, "could not enqueue a webhook's retry; the sweeper will");
  }
}

/** A delivery due for so long was missed, or waits behind others in flight; another drain does no harm. */
const OVERDUE_AFTER = "10 seconds";

const OVERDUE_DELIVERY = `SELECT FROM webhook_deliveries d
  WHERE d.organization_id = w.organization_id AND d.webhook_id = w.id
    AND d.next_attempt_at < now() - interval '${OVERDUE_AFTER}'`;

/**
 * As often as each process sweeps (inngest/sweeper.ts). In one period all ask for a drain of a webhook under one id, so
 * that one is enqueued.
 */
const PERIOD_SECONDS = 20;

/** So that a sweep costs no more while the endpoints of ten thousand webhooks are slow. */
const MAX_PER_SWEEP = 1000;

/**
 * Across organizations: housekeeping, which shows nothing to anybody. A webhook that is off still gets test events. The
 * period is that of the database's clock, which all processes share.
 */
const OVERDUE = `
  SELECT w.organization_id, w.id AS webhook_id, floor(extract(epoch FROM now()) / ${PERIOD_SECONDS})::text AS period
  FROM webhooks w
  WHERE (w.organization_id, w.id) > ($1::uuid, $2::uuid)
    AND CASE WHEN w.active THEN EXISTS (${OVERDUE_DELIVERY})
      ELSE EXISTS (${OVERDUE_DELIVERY} AND d.state = 'pending' AND d.type = '${TEST_EVENT}') END
  ORDER BY w.organization_id, w.id LIMIT ${MAX_PER_SWEEP}`;

interface Overdue {
  organization_id: string;
  webhook_id: string;
  period: string;
}

const FIRST = [MIN_UUID, MIN_UUID];

/** The last webhook of the sweep before, if it left some; they come one after another, however many there are. */
let asked = FIRST;

/**
 * Enqueues a drain of every webhook with overdue deliveries, or of the next {@link MAX_PER_SWEEP} in turn. Returns how
 * many were overdue.
 */
export async function enqueueOverdue(): Promise<number> {
  const { rows } = await acrossOrganizations(() => pool().query<Overdue>(OVERDUE, asked));
  for (const { period, ...key } of rows)
    await requestJob("webhooks/drain.requested", key, `overdue-${key.webhook_id}-${period}`);
  const last = rows.at(-1);
  asked = last && rows.length === MAX_PER_SWEEP ? [last.organization_id, last.webhook_id] : FIRST;
  return rows.length;
}

/** Enqueues drains of webhooks after the commit of a transaction that has queued deliveries. */
export function enqueueAfterCommit(client: PoolClient, organizationId: string, webhookIds: readonly string[]): void {
  if (webhookIds.length > 0) afterCommit(client, () => enqueueDrain(organizationId, [...new Set(webhookIds)]));
}
