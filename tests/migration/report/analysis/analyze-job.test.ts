import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";

import { registerSender } from "@/inngest/client";
import { analyzeMigration as analyzeMigrationJob } from "@/inngest/functions/analyze-migration";
import type { Context } from "@/lib/context";
import { requestJob } from "@/lib/jobs";
import { log } from "@/lib/log";
import { analyzeMigration } from "@/lib/migration/analyze-migration";
import type { Migration } from "@/lib/migration/migration-schema";
import { getMigration, getReport } from "@/lib/migration/read-migrations";
import { execute, valueOf } from "@/lib/operation";
import { startEngine, until } from "@/tests/inngest/support/engine-under-test";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let stop: () => Promise<void>;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 300 });
  stop = await startEngine([analyzeMigrationJob]);
  registerSender();
});
afterAll(async () => {
  await stop();
  await org.stop();
});
afterEach(() => org.setRules([]));

/** Connects, sets rules for the analysis, and waits for its end. */
async function analyzeUnder(context: Context, rules: Parameters<RunningOrg["setRules"]>[0]): Promise<Migration> {
  const connecting = execute(analyzeMigration, context, {
    ext_instance_url: org.instanceUrl,
    ext_access_token: org.accessToken,
  });
  const { migration_id } = valueOf(await connecting);
  await org.setRules(rules);
  return until("the end of the analysis", async () => {
    const migration = valueOf(await execute(getMigration, context, { migration_id }));
    return migration.status !== "analyzing" && migration;
  });
}

test("an analysis ends with a report", async () => {
  const context = await createContext();
  const migration = await analyzeUnder(context, []);
  expect(migration).toMatchObject({ status: "ready", failure: null, objects: [] });
  const report = valueOf(await execute(getReport, context, { migration_id: migration.migration_id }));
  expect(report.estimate.records).toBe(300);
});

test("a job that comes after the end of its analysis asks the org nothing", async () => {
  const context = await createContext();
  const { migration_id } = await analyzeUnder(context, []);
  await org.resetStats();
  const again = `analyze-${migration_id}-6h`;
  await requestJob("migration/analyze.requested", { organization_id: context.organizationId, migration_id }, again);
  const ended = "SELECT FROM job_runs WHERE event_id = $1 AND finished_at IS NOT NULL";
  await until("the end of its job", async () => (await pool().query(ended, [again])).rowCount === 1);
  expect((await org.stats()).requests).toEqual({});
});

test("a job whose analysis another job ends in between does nothing more, and tells of no failure", async () => {
  const context = await createContext();
  const failures = vi.spyOn(log, "error");
  onTestFinished(() => failures.mockRestore());
  await org.resetStats();
  await org.setRules([{ path: "/tooling/", delayMs: 1500, times: 1 }]);
  const { migration_id } = valueOf(
    await execute(analyzeMigration, context, { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken }),
  );
  await until("its third step", async () => ((await org.stats()).requests["GET /tooling/query"] ?? 0) > 0);
  await pool().query("UPDATE migrations SET status = 'ready' WHERE id = $1", [migration_id]);
  const ended = "SELECT FROM job_runs WHERE event_id = $1 AND finished_at IS NOT NULL";
  await until(
    "the end of its job",
    async () => (await pool().query(ended, [`analyze-${migration_id}`])).rowCount === 1,
  );
  expect(failures).not.toHaveBeenCalled();
});

test("transient errors are retried", async () => {
  const migration = await analyzeUnder(await createContext(), [
    { path: "/tooling/", status: 503, body: "away", headers: { "Retry-After": "0" }, times: 2 },
    { path: "/describe", action: "reset", times: 2 },
    { soql: "GROUP BY", action: "truncate", times: 1 },
  ]);
  expect(migration).toMatchObject({ status: "ready", failure: null });
});

test("a token that is refused midway ends the analysis with cause and remedy, without a report", async () => {
  const context = await createContext();
  const migration = await analyzeUnder(context, [{ path: "/tooling/", preset: "INVALID_SESSION_ID" }]);
  expect(migration).toMatchObject({
    status: "analysis_failed",
    failure: {
      code: "source_token_refused",
      detail: expect.stringContaining("access token has expired, was revoked"),
      remedy: expect.stringContaining("Connect"),
    },
  });
  const reading = execute(getReport, context, { migration_id: migration.migration_id });
  await expect(reading).rejects.toMatchObject({
    code: "illegal_state",
    message: expect.stringContaining("analysis_failed"),
  });
});

test("until the analysis has ended, the report is refused with the status", async () => {
  const context = await createContext();
  await org.setRules([{ path: "/tooling/", delayMs: 3000, times: 1 }]);
  const { migration_id } = valueOf(
    await execute(analyzeMigration, context, { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken }),
  );
  await expect(execute(getReport, context, { migration_id })).rejects.toMatchObject({
    code: "illegal_state",
    message: expect.stringContaining("`analyzing`"),
  });
  await until(
    "the end of the analysis",
    async () => valueOf(await execute(getMigration, context, { migration_id })).status === "ready",
  );
});
