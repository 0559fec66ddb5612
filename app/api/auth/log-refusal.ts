import { log } from "@/lib/log";

/** After the words matched here, openid-client's messages contain the compared values. */
const COMPARED = /^((?:state|nonce|at_hash|c_hash) mismatch).*/s;

/**
 * next-auth's `logger.error`. The reason of a failure with the provider is logged, since an administrator needs it: a
 * wrong secret, another issuer, no connection. Only the message: the errors themselves carry whole tokens.
 */
export function logRefusal(code: string, metadata: unknown): void {
  const reason = reasonOf(metadata);
  if (code.includes("OAUTH")) log.warn({ next_auth: code, reason }, "a sign-in through the OpenID provider failed");
  else log.info({ next_auth: code }, "next-auth refused");
}

function reasonOf(metadata: unknown): string | undefined {
  const error = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | null)?.error;
  if (!(error instanceof Error)) return undefined;
  // A connection that was tried at several addresses fails without a message.
  return error.message.replace(COMPARED, "$1") || (error as NodeJS.ErrnoException).code;
}
