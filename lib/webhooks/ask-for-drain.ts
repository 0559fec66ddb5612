import { pool } from "@/lib/db";
import { endsWithin } from "@/lib/ends-within";
import { newId } from "@/lib/ids";
import { requestJob } from "@/lib/jobs";
import { log } from "@/lib/log";
import { inOrganization } from "@/lib/organization-scope";
import { askForRetry } from "@/lib/webhooks/ask-for-retry";

/** For longer no request waits until its deliveries have been asked for. */
const PATIENCE_MS = 1000;
/** For longer no connection waits for a webhook that somebody holds: these are everybody's, and each write that tells something would take one. */
const LOCK_MS = 500;

/**
 * Of many that ask at once, one does: until a drain begins, whoever comes finds that it has been asked for. The setting holds for this statement, which is
 * a transaction of its own, and is made before the first row is locked, like every condition.
 */
const ASK = `UPDATE webhooks SET drain_asked_at = now()
  WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND drain_asked_at IS NULL
    AND (SELECT set_config('lock_timeout', '${LOCK_MS}', true)) IS NOT NULL
  RETURNING id`;

/**
 * Asks for due deliveries to be sent, once they are committed. It never fails, and takes a second at most: the deliveries stand, and the sweeper asks
 * again for what was left behind.
 */
export async function askForDrain(organizationId: string, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  const names = { organization_id: organizationId, webhook_ids: webhookIds };
  try {
    const asking = inOrganization(organizationId, () => ask(organizationId, webhookIds));
    const isDone = await endsWithin(PATIENCE_MS, asking);
    if (!isDone) log.warn(names, "asking for webhook deliveries takes long; it is not waited for");
  } catch (error) {
    log.error({ err: error, ...names }, "could not ask for webhook deliveries; the sweeper will");
  }
}

async function ask(organizationId: string, webhookIds: readonly string[]): Promise<void> {
  const first = await noteAsking(organizationId, webhookIds);
  if (first)
    await Promise.all(first.map((id) => requestJob("webhooks/drain.requested", { organization_id: organizationId, webhook_id: id }, newId())));
  // Whoever holds a webhook may know nothing of these deliveries. Asking without a note does no harm; in one second, one of many does it.
  else await Promise.all(webhookIds.map((webhookId) => askForRetry({ organizationId, webhookId }, new Date())));
}

/** For which webhooks nobody has asked yet; null when that could not be noted in time, or it is not known whether it was. */
async function noteAsking(organizationId: string, webhookIds: readonly string[]): Promise<string[] | null> {
  try {
    const { rows } = await pool().query<{ id: string }>({ name: "webhooks-ask", text: ASK, values: [organizationId, webhookIds] });
    return rows.map(({ id }) => id);
  } catch (error) {
    log.warn({ err: error, organization_id: organizationId, webhook_ids: webhookIds }, "could not note that webhook deliveries are asked for");
    return null;
  }
}
