import { openMigrationSource } from "@/lib/migration/connections/open-source";
import { Allowance } from "@/lib/salesforce/allowance";
import { QUESTION } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { KeyedSemaphore, Semaphore } from "@/lib/semaphore";

/** A person waits for the answer. */
const TIMEOUT_MS = 60_000;

/**
 * How many questions the web process asks at a time: of all organizations, since the answers to each may take 125 MB of
 * its 600, and of one, so that a host that does not answer leaves room for others.
 */
const MAX_QUESTIONS = 3;
const MAX_QUESTIONS_OF_ORGANIZATION = 2;

interface State {
  all: Semaphore;
  byOrganization: KeyedSemaphore;
}

// Next evaluates modules once per bundle; one process counts once.
const holder = globalThis as typeof globalThis & { crmQuestions?: State };

const state = (holder.crmQuestions ??= {
  all: new Semaphore(MAX_QUESTIONS),
  byOrganization: new KeyedSemaphore(MAX_QUESTIONS_OF_ORGANIZATION),
});

const NO_ANSWER = "The Salesforce org did not answer in time.";

const NO_TURN = "For a minute, other questions to Salesforce orgs were not answered. Try again later.";

/**
 * Asks the org of a migration something that is useful but not necessary. If the org is disconnected, does not answer,
 * refuses or sends too much, the answer is null, with a sentence that says why.
 */
export async function askOrg<Answer>(
  organizationId: string,
  migrationId: string,
  ask: (client: SalesforceClient, signal: AbortSignal) => Promise<Answer>,
): Promise<{ answer: Answer; because: null } | { answer: null; because: string }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let late = NO_TURN;
  const askInTurn = async () => {
    late = NO_ANSWER;
    const limits = { deadline: signal, allowance: new Allowance(QUESTION) };
    return ask(await openMigrationSource({ organizationId, migrationId }, limits), signal);
  };
  const own = state.byOrganization.of(organizationId);
  try {
    return { answer: await own.run(() => state.all.run(askInTurn, signal), signal), because: null };
  } catch (error) {
    if (signal.aborted) return { answer: null, because: late };
    if (error instanceof SalesforceError) return { answer: null, because: error.message };
    throw error;
  }
}
