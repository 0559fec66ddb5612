import { afterAll, beforeAll, expect, test } from "vitest";

import { describeFailure } from "@/lib/migration/failure";
import type { Failure, MigrationKey } from "@/lib/migration/migration-schema";
import type { Report } from "@/lib/migration/report/report-schema";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyzeOrg, connect, reportOf } from "@/tests/migration/support/analyze-org";
import { isMet, READ_ERRORS } from "@/tests/migration/support/read-errors";
import {
  assessRisks,
  completeReport,
  findDuplicatesOf,
  mapFields,
  readAutomationsAndLimits,
  survey,
} from "@/tests/migration/support/within";

/** Errors after which the client asks again. */
const PASSING = new Set([
  "UNABLE_TO_LOCK_ROW",
  "CONCURRENT_REQUESTS",
  "EMPTY_500",
  "SERVER_UNAVAILABLE",
  "RESET",
  "TRUNCATED",
  "HTML_PAGE",
]);

let org: RunningOrg;
let findings: string;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 100, seed: 3 });
  findings = findingsOf(await analyzeOrg(org));
});
afterAll(() => org.stop());

/** The steps of an analysis that ask the org, each with its name. */
async function* stepsOf(key: MigrationKey): AsyncGenerator<[string, () => Promise<unknown>]> {
  let objects: Awaited<ReturnType<typeof survey>> = [];
  yield ["survey", async () => (objects = await survey(key))];
  const [first, ...others] = objects;
  if (first) yield ["map", () => mapFields(key, first)];
  for (const object of others) await mapFields(key, object);
  yield ["inspect", () => readAutomationsAndLimits(key)];
  yield ["compare", () => findDuplicatesOf(key, "Contact")];
  await findDuplicatesOf(key, "Account");
  await findDuplicatesOf(key, "Case");
  yield ["assess", () => assessRisks(key)];
}

/** What an analysis found, without what it measured. */
function findingsOf(report: Report): string {
  return JSON.stringify({ ...report, generated_at: "", estimate: null, readiness: null });
}

async function failureOf(work: () => Promise<unknown>): Promise<Failure | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return describeFailure(error, "analysis");
  }
}

test.each(Object.keys(READ_ERRORS))(
  "%s in every step of an analysis: it says why, and repeated it finds what one finds that nothing disturbed",
  async (error) => {
    const key = await connect(org);
    let after = 0;
    for await (const [step, work] of stepsOf(key)) {
      // The client itself repeats what passes, after a second.
      const times = PASSING.has(error) ? 1 : Infinity;
      await org.setRules([{ path: "/services/data", ...READ_ERRORS[error], after, ...(times === 1 && { times }) }]);
      const failure = await failureOf(work);
      expect([step, failure?.code]).not.toEqual([step, "internal_error"]);
      expect([step, await isMet(org)]).toEqual([step, true]);
      await org.setRules([]);
      await work();
      // No step sends fewer than three requests.
      after = Math.min(after + 1, 2);
    }
    await completeReport(key);
    expect(findingsOf(await reportOf(key))).toBe(findings);
  },
);
