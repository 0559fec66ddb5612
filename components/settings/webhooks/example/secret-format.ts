/**
 * What a verifier has to know of a secret: `whsec_` and base64, or text whose bytes are the key. "either" where the
 * service does not tell any more.
 */
export type SecretFormat = "whsec" | "raw" | "either" | "none";

/** The format of a webhook's secret, which is null where it is not known. */
export function formatOf(isSigned: boolean, secret: string | null): SecretFormat {
  if (!isSigned) return "none";
  if (secret === null) return "either";
  return secret.startsWith("whsec_") ? "whsec" : "raw";
}
