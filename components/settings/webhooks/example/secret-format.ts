/**
 * The format of a secret: `whsec_` and base64, or a text whose bytes are the key. "either" when the secret is no longer
 * known.
 */
export type SecretFormat = "whsec" | "raw" | "either" | "none";

/** The format of a webhook's secret. `secret` is null when it is not known. */
export function formatOf(isSigned: boolean, secret: string | null): SecretFormat {
  if (!isSigned) return "none";
  if (secret === null) return "either";
  return secret.startsWith("whsec_") ? "whsec" : "raw";
}
