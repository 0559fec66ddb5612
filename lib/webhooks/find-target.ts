import { pool } from "@/lib/db";
import { openSecret } from "@/lib/webhooks/secret";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** Where a webhook's deliveries go, and what signs them now. */
export interface Target {
  url: string;
  active: boolean;
  /** Null when the secret cannot be read any more, so that nothing can be signed by it. */
  secrets: string[] | null;
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
  return { url: row.url, active: row.active, secrets: readableSecrets(row) };
}

function readableSecrets({ secret: sealed, previous_secret }: TargetRow): string[] | null {
  if (sealed === null) return [];
  const secret = openSecret(sealed);
  const previous = previous_secret && openSecret(previous_secret);
  return secret === null ? null : [secret, ...(previous === null ? [] : [previous])];
}
