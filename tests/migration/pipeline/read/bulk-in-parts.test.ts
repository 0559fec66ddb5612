import { afterAll, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createMigration, finishedOf, runMigration, workToTheEnd } from "@/tests/migration/support/run-migration";
import { contentOf, expectWhole } from "@/tests/migration/support/stopped-runs";
import { startRun } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

const OBJECTS = ["Account", "Contact", "Case"];

/** Records of a page of results, and of a job. */
const [PAGE, JOB] = [3, 8];

let org: RunningOrg;
let client: SalesforceClient;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 150, seed: 3, bulkPolls: 1 });
  const { instanceUrl, accessToken } = org;
  client = openClient({ instanceUrl, accessToken, apiVersion: "67.0", retry: { retries: 0 } });
});
afterAll(() => org.stop());

/** The client of an org that gives fewer records in a page of results than it is asked for, as Salesforce may. */
function withSmallResults(): { source: SalesforceClient; pages: string[] } {
  const pages: string[] = [];
  const stream: SalesforceClient["stream"] = (path, options) => {
    pages.push(path);
    return client.stream(path.replace(/maxRecords=\d+/, `maxRecords=${PAGE}`), options);
  };
  const source = new Proxy(client, {
    get(target, name) {
      if (name === "stream") return stream;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { source, pages };
}

test.each([60_000, 0])(
  "results of several pages and jobs are read whole, in slices of %i ms as well; auto takes Bulk for many records",
  async (milliseconds) => {
    const undisturbed = await createMigration(OBJECTS);
    expectWhole(await runMigration(undisturbed, client));
    const key = await createMigration(OBJECTS);
    const run = await transaction((tx) => startRun(tx, key, configurationSchema.parse({})));
    // As if there were many records: the first count decides about the API, the last one about the sums.
    await pool().query(`UPDATE migration_objects SET expected = 30000, bulk_job = $2 WHERE migration_id = $1`, [
      key.migrationId,
      { job: null, limit: JOB, failures: 0, ended: false },
    ]);
    const { source, pages } = withSmallResults();
    await workToTheEnd(run, source, milliseconds);
    const finished = await finishedOf(key);
    expectWhole(finished);
    const { rows } = await pool().query<{ api: string; api_reason: string }>(
      "SELECT DISTINCT api, api_reason FROM migration_objects WHERE migration_id = $1",
      [key.migrationId],
    );
    expect(rows).toEqual([{ api: "bulk", api_reason: "30,000 records, at least 30,000." }]);
    const jobs = new Set(pages.map((path) => /jobs\/query\/(\w+)/.exec(path)?.[1]));
    const { lines } = finished;
    const needed = Object.values(lines).reduce((sum, { source: count }) => sum + Math.floor(count / JOB) + 1, 0);
    expect(jobs.size).toBe(needed);
    expect(pages.some((path) => path.includes("locator="))).toBe(true);
    expect(await contentOf(key)).toEqual(await contentOf(undisturbed));
  },
);
