import { afterAll, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { ObjectProof } from "@/lib/migration/proof/proof-schema";
import { proveObject } from "@/lib/migration/proof/prove-object";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createMigration, runMigration, workToTheEnd } from "@/tests/migration/support/run-migration";
import { startDelta } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

const OBJECTS = ["Account", "Contact", "Case"] as const;

const { objects } = configurationSchema.parse({
  objects: {
    Account: { duplicates: { ...rules("website"), wins: "newest", fields: { industry: "longest" } } },
    Contact: { duplicates: rules("email", "last_name") },
    Case: { duplicates: { ...rules("subject"), action: "skip" } },
  },
});

function rules(...fields: string[]) {
  return { rules: fields.map((field) => ({ match: [{ fields: [field] }] })) };
}

let org: RunningOrg;
let client: SalesforceClient;
let key: MigrationKey;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 1200, seed: 5 });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  key = await createMigration(OBJECTS);
  await runMigration(key, client, { configuration: { objects } });
});
afterAll(() => org.stop());

async function prove(object: (typeof OBJECTS)[number]): Promise<ObjectProof> {
  const { rows } = await pool().query("SELECT read_until FROM migrations WHERE id = $1", [key.migrationId]);
  const source = { key, client, window: { until: rows[0].read_until as Date } };
  return inOrganization(key.organizationId, () => proveObject(source, object, objects[object]));
}

async function expectProven(object: (typeof OBJECTS)[number]): Promise<void> {
  const proof = await prove(object);
  const all = [...proof.relationships, ...proof.amounts, ...proof.picklists];
  expect([object, all.filter(({ different }) => different > 0)]).toEqual([object, []]);
  expect(all.filter((one) => one.not_compared_because?.includes("merged"))).toEqual([]);
  expect(proof).toMatchObject({ missing: 0, proven: true });
  expect(object === "Case" ? proof.left_out : proof.merged).toBeGreaterThan(5);
}

test.each(OBJECTS)("%s: values and links of merged records are those of the rules", expectProven);

/** The id of a record of the source that was merged into another. */
async function mergedInto(entity: "accounts" | "contacts" | "cases"): Promise<string> {
  const { rows } = await pool().query<{ ext_id: string }>(
    "SELECT ext_id FROM ext_aliases WHERE organization_id = $1 AND entity = $2 ORDER BY ext_id LIMIT 1",
    [key.organizationId, entity],
  );
  return String(rows[0]?.ext_id);
}

test("after a delta that meets one cluster of each object, the others are compared as merged before", async () => {
  // A delta reads nothing of the second in which it starts.
  const at = new Date(Date.now() - 60_000).toISOString();
  await org.mutate(
    { op: "update", object: "Account", id: await mergedInto("accounts"), fields: { Description: "Changed" }, at },
    { op: "update", object: "Contact", id: await mergedInto("contacts"), fields: { Description: "Changed" }, at },
    { op: "update", object: "Case", id: await mergedInto("cases"), fields: { Description: "Changed" }, at },
  );
  await workToTheEnd(await transaction((tx) => startDelta(tx, key)), client);
  const { rows } = await pool().query(
    `SELECT s.object, count(DISTINCT r.cluster_id) FILTER (WHERE r.outcome IS NOT NULL)::int AS stored
     FROM duplicate_searches s JOIN duplicate_records r ON r.search_id = s.id
     WHERE s.migration_id = $1 GROUP BY s.object ORDER BY s.object`,
    [key.migrationId],
  );
  expect(rows).toEqual(OBJECTS.toSorted().map((object) => ({ object, stored: 1 })));
  for (const object of OBJECTS) await expectProven(object);
});

test("a value of a merged record that was changed here is found", async () => {
  const { rowCount } = await pool().query(
    `UPDATE accounts SET industry = 'Astrology' WHERE organization_id = $1 AND id = (
       SELECT a.record_id FROM ext_aliases a WHERE a.organization_id = $1 AND a.entity = 'accounts' LIMIT 1)`,
    [key.organizationId],
  );
  expect(rowCount).toBe(1);
  const { proven, picklists } = await prove("Account");
  expect(proven).toBe(false);
  expect(picklists.find(({ field }) => field === "Industry")?.differences).toContainEqual(
    expect.objectContaining({ key: "Astrology", here: 1 }),
  );
});
