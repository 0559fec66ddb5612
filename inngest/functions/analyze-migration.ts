import { RetryAfterError } from "inngest";

import { inngest, analyzeRequested } from "@/inngest/client";
import { inOrganization } from "@/lib/database/organization-scope";
import type { JobEvents } from "@/lib/jobs";
import { failAnalysis, isTransient } from "@/lib/migration/failure";
import { assess, complete, inspect, map, survey } from "@/lib/migration/report/analysis";
import type { MigrationKey } from "@/lib/migration/status";
import { SalesforceError } from "@/lib/salesforce/errors";

/** Short: somebody waits for the report, and the Salesforce client has already retried for 15 seconds. */
const PAUSE_SECONDS = 3;

const MAX_PAUSE_SECONDS = 60;

/** Analyzes an org. Steps store their findings in the database and return only names. */
export const analyzeMigration = inngest.createFunction(
  {
    id: "analyze-migration",
    triggers: analyzeRequested,
    retries: 3,
    // An organization whose source hangs occupies one slot of the worker, not all.
    concurrency: { key: "event.data.organization_id", limit: 1 },
    onFailure: ({ event, error }) => {
      const key = keyOf(event.data.event.data as JobEvents["migration/analyze.requested"]);
      return inOrganization(key.organizationId, () => failAnalysis(key, error));
    },
  },
  async ({ event, step, attempt, maxAttempts = 1 }) => {
    const key = keyOf(event.data);
    const isLastAttempt = attempt + 1 >= maxAttempts;
    const run = <Found>(id: string, work: () => Promise<Found>) =>
      step.run(id, () => inOrganization(key.organizationId, () => runStep(key, isLastAttempt, work)));
    const surveyed = await run("survey", () => survey(key));
    if (surveyed.failed) return;
    for (const object of surveyed.found) {
      if ((await run(`map-${object}`, () => map(key, object))).failed) return;
    }
    if ((await run("inspect", () => inspect(key))).failed) return;
    if ((await run("assess", () => assess(key))).failed) return;
    await run("complete", () => complete(key));
  },
);

function keyOf(data: JobEvents["migration/analyze.requested"]): MigrationKey {
  return { organizationId: data.organization_id, migrationId: data.migration_id };
}

type Outcome<Found> = { failed: true } | { failed: false; found: Found };

/** A transient fault is retried soon. Any other fault, and the last attempt, ends the analysis with its reason. */
async function runStep<Found>(
  key: MigrationKey,
  isLastAttempt: boolean,
  work: () => Promise<Found>,
): Promise<Outcome<Found>> {
  try {
    return { failed: false, found: await work() };
  } catch (error) {
    if (isLastAttempt || !isTransient(error)) {
      await failAnalysis(key, error);
      return { failed: true };
    }
    const requested = error instanceof SalesforceError ? (error.retryAfter ?? PAUSE_SECONDS) : PAUSE_SECONDS;
    throw new RetryAfterError(
      "The Salesforce org or the database was away.",
      Math.min(requested, MAX_PAUSE_SECONDS) * 1000,
      { cause: error },
    );
  }
}
