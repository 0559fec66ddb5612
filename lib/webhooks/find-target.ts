import { pool } from "@/lib/db";
import { openSecret } from "@/lib/webhooks/secret";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** Where a webhook's deliveries go, and what signs them now. */
export interface Target {
  url: string;
  active: boolean;
  secrets: string[];
}

interface TargetRow {
  url: string;
  active: boolean;
  secret: Buffer | null;
  previous_secret: Buffer | null;
}

const FIND = `SELECT url, active, secret, CASE WHEN previous_secret_expires_at > now() THEN previous_secret END AS previous_secret
  FROM webhooks WHERE organization_id = $1 AND id = $2`;

/** Looks a webhook up for sending; null when it is gone. */
export async function findTarget({ organizationId, webhookId }: WebhookKey): Promise<Target | null> {
  const { rows } = await pool().query<TargetRow>({ name: "webhooks-target", text: FIND, values: [organizationId, webhookId] });
  const [row] = rows;
  if (!row) return null;
  const sealed = [row.secret, row.previous_secret].filter((secret) => secret !== null);
  return { url: row.url, active: row.active, secrets: sealed.map(openSecret) };
}
