import { randomBytes } from "node:crypto";

import { z } from "zod";

import { decrypt, encrypt, Undecryptable } from "@/lib/crypto";
import { log } from "@/lib/log";
import { isBase64 } from "@/lib/webhooks/sign";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

const PREFIX = "whsec_";
/** What Standard Webhooks asks of the key behind `whsec_`, in bytes. */
const [LEAST_BYTES, MOST_BYTES] = [24, 64];
const MOST_CHARACTERS = 128;
const LEAST_CHARACTERS = 8;

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** A secret as Standard Webhooks writes it: `whsec_` and the base64 of 32 random bytes. */
export function generateSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/** A secret that somebody brings along: `whsec_…`, or any printable ASCII. */
export const secretInput = z
  .string()
  .superRefine((secret, context) => {
    const fault = faultOf(secret);
    if (fault) context.addIssue({ code: "custom", message: fault, params: { code: "invalid_format" } });
  })
  .describe("Signs every delivery. Either `whsec_` with base64 of 24 to 64 bytes, or 8 to 128 printable ASCII characters, whose bytes are the key.");

function faultOf(secret: string): string | undefined {
  if (!PRINTABLE.test(secret)) return "A secret holds printable ASCII characters only, and neither begins nor ends with a space.";
  if (!secret.startsWith(PREFIX)) {
    const fits = secret.length >= LEAST_CHARACTERS && secret.length <= MOST_CHARACTERS;
    return fits ? undefined : `A secret has ${LEAST_CHARACTERS} to ${MOST_CHARACTERS} characters.`;
  }
  const encoded = secret.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, "base64").length;
  if (isBase64(encoded) && bytes >= LEAST_BYTES && bytes <= MOST_BYTES) return undefined;
  return `After \`${PREFIX}\` a secret holds base64 of ${LEAST_BYTES} to ${MOST_BYTES} bytes, with its padding.`;
}

/** The columns that hold a secret. */
type SecretColumn = "secret" | "previous_secret";

/** How a secret is kept: signing needs it back, so it cannot be hashed. */
export function sealSecret({ organizationId, webhookId }: WebhookKey, column: SecretColumn, secret: string): Uint8Array<ArrayBuffer> {
  return encrypt([`webhooks.${column}`, organizationId, webhookId], secret);
}

/** The reverse of {@link sealSecret}; null when it was sealed under a secret of the service that is not set any more. */
export function openSecret({ organizationId, webhookId }: WebhookKey, column: SecretColumn, sealed: Uint8Array): string | null {
  try {
    return decrypt([`webhooks.${column}`, organizationId, webhookId], sealed);
  } catch (error) {
    if (!(error instanceof Undecryptable)) throw error;
    log.error({ webhook_id: webhookId, err: error }, "the secret of a webhook cannot be read");
    return null;
  }
}
