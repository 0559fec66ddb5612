import { afterAll, beforeAll, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { ObjectProof } from "@/lib/migration/proof/proof-schema";
import { proveObject } from "@/lib/migration/proof/prove-object";
import { SourceIds } from "@/lib/migration/proof/records-not-in-source";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createMigration, runMigration } from "@/tests/migration/support/run-migration";
import { insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const OBJECTS = ["Account", "Contact", "Case"] as const;

let org: RunningOrg;
let client: SalesforceClient;
let key: MigrationKey;

/** Imports an org, and puts a copy of each record beside it under another id, as if it came from another org. */
beforeAll(async () => {
  org = await startSandboxOrg({ records: 1500, seed: 3 });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  key = await createMigration(OBJECTS);
  await runMigration(key, client);
  for (const resource of ["accounts", "contacts", "cases"])
    await pool().query(
      `INSERT INTO ${resource} SELECT copy.* FROM ${resource} AS t, jsonb_populate_record(t, jsonb_build_object(
         'id', gen_random_uuid(), 'ext_id', overlay(t.ext_id PLACING 'Zz' FROM 4), 'migration_id', NULL,
         'case_number', to_jsonb(t) ->> 'case_number' || ' of another org')) AS copy
       WHERE t.organization_id = $1`,
      [key.organizationId],
    );
});
afterAll(() => org.stop());

async function prove(object: SourceObjectName): Promise<ObjectProof> {
  const { rows } = await pool().query<{ read_until: Date }>("SELECT read_until FROM migrations WHERE id = $1", [
    key.migrationId,
  ]);
  const window = { until: rows[0]?.read_until ?? new Date() };
  return inOrganization(key.organizationId, () => proveObject({ key, client, window }, object, undefined));
}

/** Changes an account that this migration has made, or that the other one has. */
function change(isOwn: boolean) {
  return pool().query(
    `UPDATE accounts SET annual_revenue = annual_revenue + 7 WHERE organization_id = $1 AND id = (
       SELECT id FROM accounts
       WHERE organization_id = $1 AND migration_id IS ${isOwn ? "NOT NULL" : "NULL"} AND annual_revenue IS NOT NULL
       LIMIT 1)`,
    [key.organizationId],
  );
}

test.each(OBJECTS)("%s that come from another org make no proof wrong, and are named", async (object) => {
  const { proven, missing, imported, relationships, not_in_source: others } = await prove(object);
  expect([proven, missing, others?.records]).toEqual([true, 0, imported]);
  expect(others?.ids[0]).toMatch(/^.{3}Zz/);
  expect(relationships.filter(({ compared }) => compared === 0)).toEqual([]);
});

test("what differs is found in the records of the org alone", async () => {
  const { imported } = await prove("Account");
  const fields = { ext_id: "001000000000000AAA", annual_revenue: 5, industry: "Energy" };
  await insertRecord("accounts", key.organizationId, fields);
  await change(false);
  expect(await prove("Account")).toMatchObject({ proven: true, not_in_source: { records: imported + 1 } });
  await change(true);
  const { proven, amounts } = await prove("Account");
  expect(proven).toBe(false);
  expect(amounts.filter(({ different }) => different > 0).map(({ field }) => field)).toEqual(["AnnualRevenue"]);
});

function idOf(number: number): string {
  return `001Hs00000${String(number).padStart(5, "0")}AAA`;
}

test("ids of the source are found among those of all pages", () => {
  const ids = new SourceIds();
  expect(ids.has(idOf(1))).toBe(false);
  const even = Array.from({ length: 1000 }, (_, index) => idOf(2 * index));
  for (let start = 0; start < even.length; start += 300) ids.add(even.slice(start, start + 300));
  const all = Array.from({ length: 2010 }, (_, number) => idOf(number));
  expect(all.filter((id) => ids.has(id))).toEqual(even);
  expect(ids.has("0")).toBe(false);
  expect(ids.has("zzz")).toBe(false);
});
