import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyze, connect, reportOf } from "@/tests/migration/support/analyze-org";
import { createMigration, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";
import { contentOf, expectWhole } from "@/tests/migration/support/stopped-runs";

/** Fewer than each of the objects has. */
const MOST_FIELDS = 12;

let org: RunningOrg;
let client: SalesforceClient;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 150, seed: 3, pageSize: 20 });
  const { instanceUrl, accessToken } = org;
  client = openClient({ instanceUrl, accessToken, apiVersion: "67.0", retry: { retries: 0 } });
});
afterEach(() => org.setRules([]));
afterAll(() => org.stop());

test("an org that refuses queries for many fields is imported and sampled whole", async () => {
  const undisturbed = await createMigration();
  expectWhole(await runMigration(undisturbed, client));
  const key = await createMigration();
  await org.setRules([{ preset: "QUERY_TOO_COMPLICATED", fieldsAbove: MOST_FIELDS }]);
  expectWhole(await runMigration(key, client));
  expect(await contentOf(key)).toEqual(await contentOf(undisturbed));

  const analysis = await connect(org);
  await analyze(analysis);
  const { inventory } = await reportOf(analysis);
  const imported = inventory.filter(({ status, fields }) => status === "automatic" && fields.length > 0);
  expect(imported.length).toBeGreaterThan(5);
  for (const { fields } of imported) expect(fields.some(({ samples }) => samples.length > 0)).toBe(true);
});

test("a slice asks for no more records than those before it were answered", async () => {
  const names = Array.from({ length: 300 }, (_, index) => sourceRecord("001", index + 1, { Name: `Account ${index}` }));
  const source = new ScriptedSource({ Account: names });
  const tooMany: number[] = [];
  source.beforeQuery = (soql) => {
    const limit = Number(/ FROM Account .*LIMIT (\d+)/.exec(soql)?.[1] ?? 0);
    if (limit <= 100) return;
    tooMany.push(limit);
    const detail = "Salesforce answered QUERY_TIMEOUT";
    throw new SalesforceError("source_error", detail, { status: 400, errorCode: "QUERY_TIMEOUT" });
  };
  const key = await createMigration(["Account"]);
  const finished = await runMigration(key, source, { milliseconds: 0 });
  expectWhole(finished);
  expect(finished.lines.Account).toMatchObject({ created: 300 });
  expect(tooMany).toEqual([250, 125]);
});

test("an object that Salesforce fails to count each time is counted by its ids", async () => {
  const names = Array.from({ length: 3 }, (_, index) => sourceRecord("001", index + 1, { Name: `Account ${index}` }));
  const source = new ScriptedSource({ Account: names });
  source.beforeQuery = (soql) => {
    if (!soql.startsWith("SELECT COUNT()")) return;
    const options = { status: 500, errorCode: "UNKNOWN_EXCEPTION", transient: true };
    throw new SalesforceError("source_error", "Salesforce answered UNKNOWN_EXCEPTION", options);
  };
  const finished = await runMigration(await createMigration(["Account"]), source);
  expectWhole(finished);
  expect(finished.lines.Account).toMatchObject({ source: 3, created: 3 });
});
