import { afterAll, beforeAll, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { analyzeMigration as analysis } from "@/inngest/functions/analyze-migration";
import { runMigration as running } from "@/inngest/functions/run-migration";
import type { Context } from "@/lib/context";
import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { analyzeMigration } from "@/lib/migration/analyze-migration";
import { reconnectMigration } from "@/lib/migration/connections/reconnect-migration";
import { cancelMigration, pauseMigration, resumeMigration } from "@/lib/migration/runs/control-run";
import { orgDisconnected } from "@/lib/migration/failure";
import type { Migration, MigrationKey } from "@/lib/migration/migration-schema";
import { lockAtCheckpoint, startObject } from "@/lib/migration/pipeline/progress";
import { getMigration } from "@/lib/migration/read-migrations";
import { startMigration } from "@/lib/migration/runs/start-migration";
import { execute, type Operation, valueOf } from "@/lib/operation";
import { SalesforceError } from "@/lib/salesforce/errors";
import { SCOPES } from "@/lib/context";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { startEngine, until } from "@/tests/inngest/support/engine-under-test";
import { recordJobs } from "@/tests/migration/support/api-service";
import { createMigration, finishedOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";
import { startRun, workSlice } from "@/tests/migration/support/within";
import { createContext } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool, transaction as ownerTransaction } from "@/tests/support/owner";

const RECORDS = 1500;

function source(count = RECORDS): ScriptedSource {
  const accounts = Array.from({ length: count }, (_, index) =>
    sourceRecord("001", index + 1, { Name: `Account ${index + 1}` }),
  );
  return new ScriptedSource({ Account: accounts });
}

/** A request within the organization of a migration. */
function contextOf({ organizationId }: MigrationKey): Context {
  return {
    requestId: "test",
    organizationId,
    userId: "01900000-0000-7000-8000-000000000001",
    role: "admin",
    clientId: null,
    scopes: new Set(SCOPES),
    address: null,
  };
}

async function ask(operation: Operation, key: MigrationKey, more: object = {}): Promise<Migration> {
  const result = await execute(operation, contextOf(key), { migration_id: key.migrationId, ...more });
  return valueOf(result) as Migration;
}

/** A run whose first slice stored a page and was then stopped by `operation`, before its second page. */
async function stoppedBy(operation: Operation) {
  const key = await createMigration(["Account"]);
  const org = source();
  const run = await transaction((tx) => startRun(tx, key));
  let stopping: Promise<Migration> | undefined;
  let pages = 0;
  org.beforeQuery = (soql) => {
    if (soql.includes("FROM Account") && soql.includes("ORDER BY Id")) pages += 1;
    // The first slice stores one page and reads another one ahead.
    if (pages === 3) stopping ??= ask(operation, key);
  };
  while ((await workSlice(run, async () => org, 0)) === "more");
  const stopped = await stopping;
  return { key, org, run, stopped };
}

test("a paused run keeps what it has, writes nothing more, and goes on to the same result", async () => {
  const jobs = recordJobs();
  const { key, org, run, stopped } = await stoppedBy(pauseMigration);
  expect(stopped).toMatchObject({ status: "paused", failure: null, waiting: null });
  const paused = await finishedOf(key);
  expect(paused.lines.Account?.created).toBeGreaterThan(0);
  expect(paused.lines.Account?.created).toBeLessThan(RECORDS);
  expect(await workSlice(run, async () => org, 60_000)).toBe("ended");
  expect(await finishedOf(key)).toEqual(paused);

  expect(await ask(resumeMigration, key)).toMatchObject({ status: "running" });
  expect(jobs.asked.at(-1)).toMatchObject({ data: { run_number: 1 } });
  expect(jobs.asked.at(-1)?.id).not.toBe(`run-${key.migrationId}-1`);
  while ((await workSlice(run, async () => org, 60_000)) === "more");
  expect(await finishedOf(key)).toMatchObject({
    status: "completed",
    lines: { Account: { source: RECORDS, created: RECORDS, updated: 0, unchanged: 0 } },
  });
});

test("a cancelled run says what stands, is not resumed, and a new run imports only the rest", async () => {
  recordJobs();
  const { key, org, run, stopped } = await stoppedBy(cancelMigration);
  expect(stopped).toMatchObject({ status: "cancelled", reconciled: false, finished_at: expect.any(String) });
  expect(await workSlice(run, async () => org, 60_000)).toBe("ended");
  const stands = (await finishedOf(key)).lines.Account?.created ?? 0;
  expect(stopped?.objects).toMatchObject([{ object: "Account", status: "pending", created: stands }]);
  expect(Object.keys(await recordsOf("accounts", key.organizationId))).toHaveLength(stands);
  await expect(ask(resumeMigration, key)).rejects.toMatchObject({ code: "illegal_state" });
  await expect(ask(pauseMigration, key)).rejects.toMatchObject({ code: "illegal_state" });
  expect(await runMigration(key, org)).toMatchObject({
    status: "completed",
    lines: { Account: { created: RECORDS - stands, unchanged: stands } },
  });
});

test("a cancellation just before a page is stored ends the run, and neither waits for the other", async () => {
  recordJobs();
  const key = await createMigration(["Account"]);
  const run = await transaction((tx) => startRun(tx, key));
  await inOrganization(key.organizationId, () => startObject(run, "Account"));
  await ownerTransaction(async (cancelling) => {
    await cancelling.query("UPDATE migrations SET status = 'cancelled' WHERE id = $1", [key.migrationId]);
    const locking = inOrganization(key.organizationId, () =>
      transaction((client) => lockAtCheckpoint(client, run, "Account", null)),
    );
    await untilLockWaits(1);
    await cancelling.query("UPDATE migration_objects SET status = 'pending' WHERE migration_id = $1", [
      key.migrationId,
    ]);
    await cancelling.query("COMMIT");
    expect(await locking).toBe(false);
  });
});

test("a paused run can be cancelled", async () => {
  recordJobs();
  const { key } = await stoppedBy(pauseMigration);
  expect(await ask(cancelMigration, key)).toMatchObject({ status: "cancelled" });
});

test.each([
  ["pause", pauseMigration, "running"],
  ["cancel", cancelMigration, "running"],
  ["resume", resumeMigration, "paused"],
] as const)("of two requests to %s at the same time one is refused", async (_, operation, from) => {
  recordJobs();
  const key = await createMigration(["Account"]);
  await transaction((tx) => startRun(tx, key));
  if (from === "paused") await ask(pauseMigration, key);
  const answers = await Promise.allSettled([ask(operation, key), ask(operation, key)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(answers.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "illegal_state" } });
});

test("nobody controls the migration of another organization", async () => {
  const key = await createMigration(["Account"]);
  await transaction((tx) => startRun(tx, key));
  const stranger = { ...key, organizationId: (await createContext()).organizationId };
  for (const operation of [pauseMigration, resumeMigration, cancelMigration])
    for (const wrong of [stranger, { ...key, migrationId: "no-id" }, { ...key, migrationId: "\0" }])
      await expect(ask(operation, wrong)).rejects.toMatchObject({ code: "not_found" });
  expect((await finishedOf(key)).status).toBe("running");
});

test("a run takes the access that was given while it still ran with the old one", async () => {
  const jobs = recordJobs();
  const key = await createMigration(["Account"]);
  const owned = [key.organizationId, key.migrationId];
  await pool().query(
    `UPDATE connections SET source_org_id = '00D000000000001AAA', source_user_id = '005000000000001AAA'
     WHERE organization_id = $1`,
    [key.organizationId],
  );
  const run = await transaction((tx) => startRun(tx, key));
  const newer = newId();
  await pool().query(
    `INSERT INTO connections SELECT (jsonb_populate_record(c, jsonb_build_object('id', $2::text))).* FROM connections c
     WHERE organization_id = $1`,
    [key.organizationId, newer],
  );
  const org = source();
  org.beforeQuery = () => {
    throw new SalesforceError("source_token_refused", "Salesforce refused the access token.", { status: 401 });
  };
  expect(await workSlice(run, async () => org, 0)).toBe("ended");
  const { rows } = await pool().query(
    `SELECT status, connection_id FROM migrations WHERE organization_id = $1 AND id = $2`,
    owned,
  );
  expect(rows).toEqual([{ status: "running", connection_id: newer }]);
  expect(jobs.asked).toMatchObject([{ name: "migration/run.requested", data: { run_number: 1 } }]);
  // Both are refused: there is no newer one than this, so it waits.
  expect(await workSlice(run, async () => org, 0)).toBe("ended");
  expect((await finishedOf(key)).status).toBe("paused");
});

/** Gives a migration another connection to its org. */
async function connectAnew({ organizationId, migrationId }: MigrationKey): Promise<void> {
  const newer = newId();
  await pool().query(
    `INSERT INTO connections SELECT (jsonb_populate_record(c, jsonb_build_object('id', $2::text))).* FROM connections c
     WHERE organization_id = $1`,
    [organizationId, newer],
  );
  await pool().query("UPDATE migrations SET connection_id = $2 WHERE id = $1", [migrationId, newer]);
}

test("a refusal of the access that a run had does not pause it once it has another", async () => {
  const key = await createMigration(["Account"]);
  const run = await transaction((tx) => startRun(tx, key));
  const open = async () => {
    await connectAnew(key);
    throw new SalesforceError("source_token_refused", "Salesforce refused the access token.", { status: 401 });
  };
  expect(await workSlice(run, open, 0)).toBe("ended");
  expect(await finishedOf(key)).toMatchObject({ status: "running", failure: null });
});

test("a process that worked on a run before its org was connected again uses the new access", async () => {
  const key = await createMigration(["Account"]);
  const run = await transaction((tx) => startRun(tx, key));
  const [earlier, later] = [source(), source()];
  const { rows } = await pool().query<{ id: string }>(
    "SELECT connection_id AS id FROM migrations WHERE organization_id = $1",
    [key.organizationId],
  );
  const open = async (_: string, id: string) => (id === rows[0]?.id ? earlier : later);
  expect(await workSlice(run, open, 0)).toBe("more");
  // Another process finds the access refused, and the org is connected again.
  earlier.beforeQuery = () => {
    throw orgDisconnected();
  };
  await connectAnew(key);
  let outcome: unknown = "more";
  while (outcome === "more") outcome = await workSlice(run, open, 0);
  expect(await finishedOf(key)).toMatchObject({ status: "completed", failure: null });
});

let org: RunningOrg;
let stop: () => Promise<void>;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 2000 });
  stop = await startEngine([analysis, running]);
});
afterAll(async () => {
  await stop();
  await org.stop();
});

/** Makes the org accept another access token. */
async function acceptToken(token: string): Promise<string> {
  const response = await fetch(`${org.instanceUrl}/__control/accept-token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  expect(response.ok).toBe(true);
  return token;
}

function statusOf(context: Context, migration_id: string, statuses: string[]): Promise<Migration> {
  return until(`the status ${statuses.join(" or ")}`, async () => {
    const found = valueOf(await execute(getMigration, context, { migration_id }));
    return statuses.includes(found.status) && found;
  });
}

test("a run whose token has died waits for a new one, and goes on by itself once it has it", async () => {
  registerSender();
  const context = await createContext();
  const access = { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken };
  const { migration_id } = valueOf(await execute(analyzeMigration, context, access));
  await statusOf(context, migration_id, ["ready"]);
  await org.setRules([{ soql: "FROM Case ", preset: "INVALID_SESSION_ID" }]);
  await execute(startMigration, context, { migration_id });
  const paused = await statusOf(context, migration_id, ["paused", "failed", "completed"]);
  expect(paused).toMatchObject({ status: "paused", failure: { code: "source_token_refused" } });

  const refused = execute(reconnectMigration, context, { migration_id, ext_access_token: "wrong" });
  await expect(refused).rejects.toMatchObject({ code: "source_token_refused" });
  await org.setRules([]);
  const ext_access_token = await acceptToken(`${org.accessToken.split("!")[0]}!anotherToken`);
  const resumed = valueOf(await execute(reconnectMigration, context, { migration_id, ext_access_token }));
  expect(resumed.run_number).toBe(1);
  const ended = await statusOf(context, migration_id, ["completed", "completed_with_errors", "failed", "paused"]);
  expect(ended).toMatchObject({ reconciled: true, failure: null, run_number: 1 });
  expect(ended.objects.reduce((sum, { source: count }) => sum + (count ?? 0), 0)).toBeGreaterThanOrEqual(2000);
  for (const { unchanged } of ended.objects) expect(unchanged).toBe(0);
});
