import { SalesforceError } from "@/lib/salesforce/errors";

/**
 * Null in place of a query that the source refuses: for want of permissions (INVALID_TYPE, INSUFFICIENT_ACCESS), because an org lacks the
 * feature (INVALID_FIELD), or because it takes too long. What is no refusal of this very question stays an error.
 */
export function nullWhenRefused(error: unknown): null {
  const refused =
    error instanceof SalesforceError && (error.code === "source_access_denied" || (error.code === "source_error" && isRefusal(error.status)));
  if (refused) return null;
  throw error;
}

/** A count over what is not indexed may run for minutes, and somebody waits for the report. */
const PATIENCE_MS = 45_000;

/** The answer to a question that an analysis can do without: null when the source refuses it, or is not done in time. */
export async function inTime<Answer>(ask: (signal: AbortSignal) => Promise<Answer>, patienceMs: number = PATIENCE_MS): Promise<Answer | null> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    return await ask(signal);
  } catch (error) {
    return signal.aborted ? null : nullWhenRefused(error);
  }
}

function isRefusal(status: number | null): boolean {
  return status === 400 || status === 403 || status === 404;
}
