import { beforeEach, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { MigrationApi, recordJobs } from "@/tests/migration/support/api-service";
import { createReady } from "@/tests/migration/support/ready-migration";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool, transaction } from "@/tests/support/owner";

let context: Context;
let api: MigrationApi;

beforeEach(async () => {
  recordJobs();
  context = await createContext();
  api = new MigrationApi(await createAccessToken(context));
});

async function changesIn(organizationId: string): Promise<object[]> {
  const text =
    "SELECT details FROM audit_events WHERE organization_id = $1 AND action = 'migration.configured' ORDER BY id";
  const { rows } = await pool().query<{ details: object }>(text, [organizationId]);
  return rows.map(({ details }) => details);
}

/** The log names the org, also when it and its migration are gone. */
const ORG = { org_name: null, host: "acme.my.salesforce.com" };

/** A change of each part of the configuration. */
const CHANGES: Record<keyof Configuration, unknown> = {
  objects: { Account: { phase: 2 } },
  threads: { attachments: false },
  repeat: "decide",
  owners: { by_email: false },
  api_limit: { percent: 20 },
  files: { copy: true },
  send_events: true,
};

test.each(Object.entries(CHANGES))(
  "the audit log names the part of the configuration that changed: %s",
  async (part, changed) => {
    const migrationId = await createReady(context);
    const given = { [part]: changed };
    expect(await api.put(`/migration/${migrationId}/configuration`, given)).toMatchObject({ status: 200 });
    await api.put(`/migration/${migrationId}/configuration`, given);
    expect(await changesIn(context.organizationId)).toMatchObject([
      { migration_id: migrationId, ...ORG, parts: [part] },
    ]);
  },
);

test("the audit log names the parts that an import and a run with choices change, and no member", async () => {
  const migrationId = await createReady(context);
  const choices = { files: { copy: true }, owners: { fallback: context.userId } };
  const imported = { format: "crm-migration-configuration", version: 1, configuration: choices };
  expect(await api.post(`/migration/${migrationId}/configuration/import`, imported)).toMatchObject({ status: 200 });
  await api.post("/migration/run", { migration_id: migrationId, configuration: { api_limit: { percent: 20 } } });
  expect(await changesIn(context.organizationId)).toEqual([
    { migration_id: migrationId, ...ORG, parts: ["owners", "files"], objects: [] },
    { migration_id: migrationId, ...ORG, parts: ["owners", "api_limit", "files"], objects: [] },
  ]);
});

test("the audit log records changed choices, and nothing if none changed", async () => {
  const migrationId = await createReady(context);
  const configuration = { objects: { Account: { selected: true } } };
  await api.put(`/migration/${migrationId}/configuration`, configuration);
  await api.put(`/migration/${migrationId}/configuration`, { objects: {} });
  await api.put(`/migration/${migrationId}/configuration`, { objects: {}, send_events: true });
  await api.post("/migration/run", {
    migration_id: migrationId,
    configuration: { objects: { Case: { selected: false } }, send_events: true },
  });
  expect(await changesIn(context.organizationId)).toEqual([
    { migration_id: migrationId, ...ORG, parts: ["send_events"], objects: [], send_events: true },
    { migration_id: migrationId, ...ORG, parts: ["objects"], objects: ["Case"] },
  ]);
});

test("the audit log compares the choices of a run with those that were stored last, until it started", async () => {
  const migrationId = await createReady(context);
  const configuration = { send_events: true };
  const { started } = await transaction(async (client) => {
    await client.query("UPDATE migrations SET configuration = $2 WHERE id = $1", [migrationId, configuration]);
    const starting = api.post("/migration/run", { migration_id: migrationId, configuration });
    await untilLockWaits(1);
    return { started: starting };
  });
  expect(await started).toMatchObject({ status: 202 });
  expect(await changesIn(context.organizationId)).toEqual([]);
});
