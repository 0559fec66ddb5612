import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { analyzeMigration as analyzeJob } from "@/inngest/functions/analyze-migration";
import type { Context } from "@/lib/context";
import { analyzeMigration } from "@/lib/migration/analyze-migration";
import { parseReport } from "@/lib/migration/migration-contents";
import type { Migration } from "@/lib/migration/migration-schema";
import type { Report } from "@/lib/migration/report/report-schema";
import { execute, valueOf } from "@/lib/operation";
import { startEngine, until } from "@/tests/inngest/support/engine-under-test";
import { findMigration, findStored } from "@/tests/migration/support/within";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createContext } from "@/tests/support/factories";

let org: RunningOrg;
let stopEngine: () => Promise<void>;
let context: Context;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 1000, seed: 21 });
  registerSender();
  stopEngine = await startEngine([analyzeJob]);
});
beforeEach(async () => {
  await org.setRules([]);
  context = await createContext();
});
afterAll(async () => {
  await stopEngine();
  await org.stop();
});

/** Requests an analysis and waits for its end. */
async function analyze(): Promise<Migration> {
  const input = { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken };
  const { migration_id } = valueOf(await execute(analyzeMigration, context, input));
  return until("the end of the analysis", async () => {
    const migration = await findMigration(context.organizationId, migration_id);
    return migration.status !== "analyzing" && migration;
  });
}

async function reportOf(migration: Migration): Promise<Report | null> {
  expect(migration).toMatchObject({ status: "ready", failure: null });
  return parseReport(await findStored(context.organizationId, migration.migration_id));
}

test("an object that Salesforce cannot count in time can be selected, and the report says so", async () => {
  await org.setRules([{ preset: "QUERY_TIMEOUT", soql: "COUNT() FROM Task" }]);
  const report = await reportOf(await analyze());
  expect(report?.inventory.find(({ object }) => object === "Task")).toMatchObject({ status: "automatic", count: null });
  expect(report?.risks).toContainEqual(
    expect.objectContaining({ severity: "warning", code: "object_not_counted", object: "Task" }),
  );
  expect(report?.estimate.records).toBeLessThan(1000);
});

test("objects whose owners Salesforce cannot count in time are named", async () => {
  await org.setRules([{ preset: "QUERY_TIMEOUT", object: "Contact", soql: "GROUP BY OwnerId" }]);
  const report = await reportOf(await analyze());
  const [risk] = report?.risks.filter(({ code }) => code === "owners_not_counted") ?? [];
  expect(risk).toMatchObject({ severity: "info", title: "The owners of Contacts could not be counted" });
  expect(report?.risks.map(({ code }) => code)).toContain("owners_not_members");
});

test("the report counts the values of a picklist as the org does", async () => {
  const report = await reportOf(await analyze());
  const statuses =
    report?.inventory.find(({ object }) => object === "Case")?.fields.find(({ source }) => source === "Status")
      ?.values ?? [];
  expect(statuses.length).toBeGreaterThan(3);
  for (const { source, count } of statuses) {
    const soql = `SELECT COUNT() FROM Case WHERE IsDeleted = false AND Status = '${source}'`;
    const url = `${org.instanceUrl}/services/data/v67.0/queryAll?q=${encodeURIComponent(soql)}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${org.accessToken}` } });
    expect([source, (await answer.json()) as unknown]).toEqual([source, { totalSize: count, done: true, records: [] }]);
  }
});

test.for([
  ["API_DISABLED_FOR_ORG", "source_api_disabled", "enable the API"],
  ["REQUEST_LIMIT_EXCEEDED", "source_limit_exceeded", "Wait until"],
] as const)(
  "%s in the middle of an analysis ends it at the first refusal, with a sentence",
  async ([preset, code, remedy]) => {
    await org.setRules([{ preset, path: "/describe" }]);
    await org.resetStats();
    const migration = await analyze();
    expect(migration).toMatchObject({
      status: "analysis_failed",
      failure: { code, remedy: expect.stringContaining(remedy) as string },
    });
    const { requests } = await org.stats();
    expect(Object.entries(requests).filter(([kind]) => kind.endsWith("/describe"))).toEqual([
      ["GET /sobjects/Account/describe", 1],
    ]);
  },
);
