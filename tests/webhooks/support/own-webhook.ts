import type { Context } from "@/lib/context";
import { createWebhook } from "@/lib/webhooks/endpoints/create-webhook";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { findNextDue } from "@/lib/webhooks/sending/claim-deliveries";
import { Dispatcher } from "@/lib/webhooks/sending/dispatcher";
import { drain } from "@/lib/webhooks/sending/drain";
import { run } from "@/tests/records/support/write-operations";
import { pool } from "@/tests/support/owner";

/** A webhook as its admin has created it. */
export async function openWebhook(context: Context, input: object): Promise<WebhookKey & { secret: string }> {
  const { id, secret } = await run(createWebhook, context, { events: ["*"], ...input });
  return { organizationId: context.organizationId, webhookId: id, secret: String(secret) };
}

/**
 * One drain, as a job does it, and what follows until nothing is due or under way. Gives when the next delivery is due.
 */
export async function drainOnce(key: WebhookKey): Promise<Date | null> {
  await drain(key);
  await Dispatcher.settled(key);
  return findNextDue(key, []);
}

export interface StoredDelivery {
  event_id: string;
  type: string;
  state: string;
  attempts: number;
  tries: number;
  /** Seconds from now. */
  due_in: number | null;
}

/** A webhook's deliveries, oldest event first. */
export async function deliveriesOf({ organizationId, webhookId }: WebhookKey): Promise<StoredDelivery[]> {
  const { rows } = await pool().query<StoredDelivery>(
    `SELECT event_id, type, state, attempts, tries, extract(epoch FROM next_attempt_at - now())::float8 AS due_in
     FROM webhook_deliveries WHERE organization_id = $1 AND webhook_id = $2 ORDER BY event_id`,
    [organizationId, webhookId],
  );
  return rows;
}

export interface StoredAttempt {
  number: number;
  status: number | null;
  error: string | null;
  latency_ms: number;
  response_headers: Record<string, string> | null;
  response_body: string | null;
}

/** Every attempt at a webhook, in order. */
export async function attemptsAt({ organizationId, webhookId }: WebhookKey): Promise<StoredAttempt[]> {
  const { rows } = await pool().query<StoredAttempt>(
    `SELECT number, status, error, latency_ms, response_headers, response_body FROM webhook_attempts
     WHERE organization_id = $1 AND webhook_id = $2 ORDER BY event_id, number`,
    [organizationId, webhookId],
  );
  return rows;
}

/** The webhook's own row. */
export async function webhookRow({ organizationId, webhookId }: WebhookKey): Promise<Record<string, unknown>> {
  const { rows } = await pool().query("SELECT * FROM webhooks WHERE organization_id = $1 AND id = $2", [
    organizationId,
    webhookId,
  ]);
  return rows[0] as Record<string, unknown>;
}

/** Makes everything that waits due now. */
export async function hasten({ organizationId, webhookId }: WebhookKey): Promise<void> {
  const due = `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE organization_id = $1 AND webhook_id = $2
      AND next_attempt_at IS NOT NULL`;
  await pool().query(due, [organizationId, webhookId]);
}
