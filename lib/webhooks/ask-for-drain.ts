import { pool } from "@/lib/db";
import { newId } from "@/lib/ids";
import { requestJob } from "@/lib/jobs";
import { log } from "@/lib/log";

/** For longer no request waits until its deliveries have been asked for. */
const PATIENCE_MS = 1000;

/** Of many that ask at once, one does: until a drain begins, whoever comes finds that it has been asked for. */
const ASK = `UPDATE webhooks SET drain_asked_at = now()
  WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND drain_asked_at IS NULL RETURNING id`;

/**
 * Asks for due deliveries to be sent, once they are committed. It never fails, and takes a second at most: the deliveries stand, and the sweeper asks
 * again for what was left behind.
 */
export async function askForDrain(organizationId: string, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  const names = { organization_id: organizationId, webhook_ids: webhookIds };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => (timer = setTimeout(resolve, PATIENCE_MS, "late")));
  try {
    const first = await Promise.race([ask(organizationId, webhookIds), late]);
    if (first === "late") log.warn(names, "asking for webhook deliveries takes long; it is not waited for");
  } catch (error) {
    log.error({ err: error, ...names }, "could not ask for webhook deliveries; the sweeper will");
  } finally {
    clearTimeout(timer);
  }
}

async function ask(organizationId: string, webhookIds: readonly string[]): Promise<void> {
  const { rows } = await pool().query<{ id: string }>({ name: "webhooks-ask", text: ASK, values: [organizationId, webhookIds] });
  await Promise.all(rows.map(({ id }) => requestJob("webhooks/drain.requested", { organization_id: organizationId, webhook_id: id }, newId())));
}
