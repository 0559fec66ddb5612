import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyze, connect, reportOf } from "@/tests/migration/support/analyze-org";
import { createMigration, runMigration } from "@/tests/migration/support/run-migration";
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
