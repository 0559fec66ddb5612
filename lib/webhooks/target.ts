import { openSecret } from "@/lib/webhooks/secret";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** Where a webhook's deliveries go, and what signs them now. */
export interface Target {
  url: string;
  /** Null when the secret cannot be read any more, so that nothing can be signed by it. */
  secrets: string[] | null;
}

/** A {@link Target} as it is kept. The previous secret is null when it has expired. */
export interface SealedTarget {
  url: string;
  secret: Buffer | null;
  previous_secret: Buffer | null;
}

export function openTarget(key: WebhookKey, { url, secret, previous_secret }: SealedTarget): Target {
  return { url, secrets: secret === null ? [] : readableSecrets(key, secret, previous_secret) };
}

function readableSecrets(key: WebhookKey, sealed: Buffer, previousSealed: Buffer | null): string[] | null {
  const secret = openSecret(key, "secret", sealed);
  const previous = previousSealed && openSecret(key, "previous_secret", previousSealed);
  return secret === null ? null : [secret, ...(previous === null ? [] : [previous])];
}
