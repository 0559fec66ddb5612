import { inngest, analyzeRequested } from "@/inngest/client";
import { keyOf, onFailureOf } from "@/inngest/functions/job-keys";
import { retriedSteps } from "@/inngest/functions/retried-step";
import { failAnalysis } from "@/lib/migration/failure";
import {
  assessRisks,
  completeReport,
  findDuplicatesOf,
  isAnalyzing,
  mapFields,
  readAutomationsAndLimits,
  survey,
} from "@/lib/migration/report/analysis";
import { COMPARED_OBJECTS } from "@/lib/migration/report/quality/find-duplicates";

/** Analyzes an org. Steps store their findings in the database and return only names. */
export const analyzeMigration = inngest.createFunction(
  {
    id: "analyze-migration",
    triggers: analyzeRequested,
    retries: 3,
    // An organization whose source hangs occupies one slot of the worker, not all.
    concurrency: { key: "event.data.organization_id", limit: 1 },
    onFailure: onFailureOf(keyOf, failAnalysis),
  },
  async ({ event, ...call }) => {
    const key = keyOf(event.data);
    const run = retriedSteps(key, call, failAnalysis, isAnalyzing);
    const surveyed = await run("survey", () => survey(key));
    if (surveyed.ended) return;
    for (const object of surveyed.found) {
      if ((await run(`map-${object}`, () => mapFields(key, object))).ended) return;
    }
    if ((await run("inspect", () => readAutomationsAndLimits(key))).ended) return;
    for (const object of COMPARED_OBJECTS) {
      if (
        surveyed.found.includes(object) &&
        (await run(`compare-${object}`, () => findDuplicatesOf(key, object))).ended
      )
        return;
    }
    if ((await run("assess", () => assessRisks(key))).ended) return;
    await run("complete", () => completeReport(key));
  },
);
