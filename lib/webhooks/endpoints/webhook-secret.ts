import { randomBytes } from "node:crypto";

import { z } from "zod";

import { isBase64, SECRET_PREFIX } from "@/lib/webhooks/sending/signing";

/** The length of the key after `whsec_`, in bytes (Standard Webhooks). */
const [MIN_KEY_BYTES, MAX_KEY_BYTES] = [24, 64];

const MAX_SECRET_LENGTH = 128;

const MIN_SECRET_LENGTH = 8;

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** A secret as Standard Webhooks writes it: `whsec_` and the base64 of 32 random bytes. */
export function generateSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString("base64");
}

/** A given secret: `whsec_…`, or any printable ASCII. */
export const secretInput = z
  .string()
  .superRefine((secret, context) => {
    const fault = secretFault(secret);
    if (fault) context.addIssue({ code: "custom", message: fault, params: { code: "invalid_format" } });
  })
  .describe(
    "Signs every delivery. Either `whsec_` with base64 of 24 to 64 bytes, or 8 to 128 printable ASCII characters, " +
      "whose bytes are the key.",
  );

function secretFault(secret: string): string | undefined {
  if (!PRINTABLE.test(secret))
    return "A secret consists of printable ASCII characters and neither begins nor ends with a space.";
  if (!secret.startsWith(SECRET_PREFIX)) {
    const fits = secret.length >= MIN_SECRET_LENGTH && secret.length <= MAX_SECRET_LENGTH;
    return fits ? undefined : `A secret has ${MIN_SECRET_LENGTH} to ${MAX_SECRET_LENGTH} characters.`;
  }
  const encoded = secret.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(encoded, "base64").length;
  if (isBase64(encoded) && bytes >= MIN_KEY_BYTES && bytes <= MAX_KEY_BYTES) return undefined;
  const size = `${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes`;
  return `After \`${SECRET_PREFIX}\` a secret holds base64 of ${size}, with its padding.`;
}
