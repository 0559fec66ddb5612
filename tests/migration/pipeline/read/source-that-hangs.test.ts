import { execFileSync } from "node:child_process";

import { afterEach, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { analyzeMigration } from "@/inngest/functions/analyze-migration";
import { runMigration } from "@/inngest/functions/run-migration";
import { JOBS_ARGUMENT } from "@/inngest/job-process";
import { transaction } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { requestJob } from "@/lib/jobs";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { encrypt } from "@/lib/security/crypto";
import { findMigration, startRun } from "@/tests/migration/support/within";
import { type Supervised, supervise } from "@/scripts/service/supervisor/supervise";
import { WORKER_ARGS } from "@/scripts/service/supervisor/process-args";
import { startEngine, until } from "@/tests/inngest/support/engine-under-test";
import { createContext } from "@/tests/support/factories";
import { startHost, stopHosts } from "@/tests/support/hosts";
import { pool } from "@/tests/support/owner";

let stop: (() => Promise<unknown>) | undefined;
afterEach(async () => {
  stopHosts();
  await stop?.();
  stop = undefined;
});

interface Source {
  organizationId: string;
  userId: string;
  instanceUrl: string;
}

async function insertMigration(
  { organizationId, userId, instanceUrl }: Source,
  status: "analyzing" | "ready",
): Promise<MigrationKey> {
  const [connectionId, migrationId] = [newId(), newId()];
  await pool().query(
    `INSERT INTO connections
       (id, organization_id, ext_instance_url, access_token_enc, created_by_id, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, now(), now())`,
    [
      connectionId,
      organizationId,
      instanceUrl,
      encrypt(["connections.access_token_enc", organizationId, connectionId], "token"),
      userId,
    ],
  );
  await pool().query(
    `INSERT INTO migrations (organization_id, id, created_at, updated_at, connection_id, created_by_id, status, report)
     VALUES ($1, $2, now(), now(), $3, $4, $5, $6)`,
    [
      organizationId,
      migrationId,
      connectionId,
      userId,
      status,
      { inventory: [{ object: "Account", status: "automatic" }] },
    ],
  );
  return { organizationId, migrationId };
}

/** A migration whose analysis is enqueued. */
async function requestAnalysis(source: Source): Promise<MigrationKey> {
  const key = await insertMigration(source, "analyzing");
  await requestJob("migration/analyze.requested", dataOf(key), `analyze-${key.migrationId}`);
  return key;
}

/** A migration whose run is enqueued. */
async function requestRun(source: Source): Promise<MigrationKey> {
  const key = await insertMigration(source, "ready");
  const { runNumber } = await transaction((tx) => startRun(tx, key));
  await requestJob("migration/run.requested", { ...dataOf(key), run_number: runNumber }, `run-${key.migrationId}`);
  return key;
}

function dataOf({ organizationId, migrationId }: MigrationKey): { organization_id: string; migration_id: string } {
  return { organization_id: organizationId, migration_id: migrationId };
}

async function endOf({ organizationId, migrationId }: MigrationKey) {
  return until("the end of the analysis", async () => {
    const migration = await findMigration(organizationId, migrationId);
    return migration.status !== "analyzing" && migration;
  });
}

test("twenty analyses of a host that hangs do not delay those of other organizations", async () => {
  let asked = 0;
  const hanging = await startHost(() => void (asked += 1));
  const refusing = await startHost((_request, response) =>
    response.writeHead(401).end('[{"errorCode":"INVALID_SESSION_ID","message":""}]'),
  );
  const [one, other] = [await createContext(), await createContext()];
  registerSender();
  for (let n = 0; n < 20; n += 1) await requestAnalysis({ ...one, instanceUrl: hanging });
  stop = await startEngine([analyzeMigration]);
  await until("the host to hang", () => asked > 0);
  const analysis = await requestAnalysis({ ...other, instanceUrl: refusing });
  expect(await endOf(analysis)).toMatchObject({ status: "analysis_failed", failure: { code: "source_token_refused" } });
  expect(asked).toBe(1);
});

test("twenty imports from a host that hangs do not delay those of other organizations", async () => {
  let asked = 0;
  const hanging = await startHost(() => void (asked += 1));
  const refusing = await startHost((_request, response) =>
    response.writeHead(401).end('[{"errorCode":"INVALID_SESSION_ID","message":""}]'),
  );
  const [one, other] = [await createContext(), await createContext()];
  registerSender();
  for (let n = 0; n < 20; n += 1) await requestRun({ ...one, instanceUrl: hanging });
  stop = await startEngine([runMigration]);
  await until("the host to hang", () => asked > 0);
  const before = asked;
  const run = await requestRun({ ...other, instanceUrl: refusing });
  await until(
    "the other one's end",
    async () => (await findMigration(other.organizationId, run.migrationId)).status !== "running",
  );
  expect(asked).toBe(before);
});

/** The child processes of the worker that run single jobs. */
function jobProcessesOf(worker: number): number[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === worker && args.includes(JOBS_ARGUMENT))
    .map(([pid]) => Number(pid));
}

test("an analysis that crashes two processes ends, and its migration says so", async () => {
  let asked = 0;
  const hanging = await startHost(() => void (asked += 1));
  const { organizationId, userId } = await createContext();
  registerSender();
  const analysis = await requestAnalysis({ organizationId, userId, instanceUrl: hanging });
  const env = { ...process.env, LOG_LEVEL: "silent" };
  const workers: Supervised = supervise({
    name: "worker",
    args: WORKER_ARGS,
    cwd: process.cwd(),
    env,
    print: () => undefined,
  });
  stop = () => workers.stop();
  await until("the analysis in hand", () => asked === 1);
  process.kill(pidOf(workers.pid()), "SIGKILL");
  await until("the analysis in a process of its own", () => asked === 2);
  // An analysis of the previous test may have a process too.
  const processes = jobProcessesOf(pidOf(workers.pid()));
  expect(processes).not.toEqual([]);
  for (const pid of processes) process.kill(pid, "SIGKILL");
  expect(await endOf(analysis)).toMatchObject({
    status: "analysis_failed",
    failure: {
      code: "worker_died",
      detail: expect.stringMatching(/^The analysis was stopped because the process that ran it crashed twice/),
      remedy: expect.stringContaining("the id of the migration"),
    },
  });
});

/** Never signals process 0, which is the whole process group. */
function pidOf(pid: number | undefined): number {
  if (pid === undefined) throw new Error("There is no such process.");
  return pid;
}
