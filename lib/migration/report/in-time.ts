import { nullWhenRefused } from "@/lib/salesforce/null-when-refused";

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
