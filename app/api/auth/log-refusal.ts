import { log } from "@/lib/log";

/** What openid-client adds to these messages are the values that were compared. */
const COMPARED = /^((?:state|nonce|at_hash|c_hash) mismatch).*/s;

/**
 * next-auth's `logger.error`. Of what goes wrong with a provider an administrator must know the reason: a wrong secret,
 * another issuer, no connection. Only the message is kept: the errors themselves carry whole tokens.
 */
export function logRefusal(code: string, metadata: unknown): void {
  const reason = reasonOf(metadata);
  if (code.includes("OAUTH")) log.warn({ next_auth: code, reason }, "a sign-in through the OpenID provider failed");
  else log.info({ next_auth: code }, "next-auth refused");
}

function reasonOf(metadata: unknown): string | undefined {
  const error = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | null)?.error;
  if (!(error instanceof Error)) return undefined;
  // A connection that is tried at several addresses fails without a message.
  return error.message.replace(COMPARED, "$1") || (error as NodeJS.ErrnoException).code;
}
