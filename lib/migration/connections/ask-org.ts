import { openMigrationSource } from "@/lib/migration/connections/open-source";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";

/** A person waits for the answer. */
const TIMEOUT_MS = 60_000;

/**
 * Asks the org of a migration something that is useful but not necessary. If the org is disconnected, does not answer
 * or refuses, the answer is null, with a sentence that says why.
 */
export async function askOrg<Answer>(
  organizationId: string,
  migrationId: string,
  ask: (client: SalesforceClient, signal: AbortSignal) => Promise<Answer>,
): Promise<{ answer: Answer; because: null } | { answer: null; because: string }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const client = await openMigrationSource(organizationId, migrationId, { deadline: signal });
    return { answer: await ask(client, signal), because: null };
  } catch (error) {
    if (signal.aborted) return { answer: null, because: "The Salesforce org took longer than a minute to answer." };
    if (error instanceof SalesforceError) return { answer: null, because: error.message };
    throw error;
  }
}
