import { setTimeout } from "node:timers/promises";

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { analyzeMigration as analysis } from "@/inngest/functions/analyze-migration";
import { proveMigration as proving } from "@/inngest/functions/prove-migration";
import { runMigration as running } from "@/inngest/functions/run-migration";
import type { Context } from "@/lib/context";
import { analyzeMigration } from "@/lib/migration/analyze-migration";
import { putConfiguration } from "@/lib/migration/configuration/configure-migration";
import { getProof, proveMigration } from "@/lib/migration/proof/prove-migration";
import type { Proof } from "@/lib/migration/proof/proof-schema";
import { getMigration } from "@/lib/migration/read-migrations";
import { startMigration } from "@/lib/migration/runs/start-migration";
import { execute, type Operation, valueOf } from "@/lib/operation";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { startEngine, until } from "@/tests/inngest/support/engine-under-test";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let stop: () => Promise<void>;
/** A migration that has ended a run, or several, with the choices of its first one. */
let imported: { context: Context; migration_id: string };

beforeAll(async () => {
  org = await startSandboxOrg({ records: 300 });
  stop = await startEngine([analysis, running, proving]);
  registerSender();
  imported = await importOrg();
});
afterAll(async () => {
  await stop();
  await org.stop();
});
afterEach(() => org.setRules([]));

async function leaving<Result extends { status: string }>(
  what: string,
  read: () => Promise<Result>,
  statuses: string[],
) {
  return until(`the end of ${what}`, async () => {
    const result = await read();
    return !statuses.includes(result.status) && result;
  });
}

async function analyzeOrg(context: Context): Promise<string> {
  const source = { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken };
  const { migration_id } = valueOf(await execute(analyzeMigration, context, source));
  const read = async () => valueOf(await execute(getMigration, context, { migration_id }));
  await leaving("the analysis", read, ["analyzing"]);
  return migration_id;
}

async function runOnce(context: Context, migration_id: string, choices: object = {}): Promise<void> {
  await execute(startMigration, context, { migration_id, ...choices });
  const read = async () => valueOf(await execute(getMigration, context, { migration_id }));
  await leaving("the run", read, ["running"]);
}

async function importOrg() {
  const context = await createContext();
  const migration_id = await analyzeOrg(context);
  await runOnce(context, migration_id);
  return { context, migration_id };
}

function ask(operation: Operation, context: Context, migration_id: string): Promise<Proof> {
  return execute(operation, context, { migration_id }).then((result) => valueOf(result) as Proof);
}

test("a proof is made in the background, once per request, names every object and keeps its date", async () => {
  const context = await createContext();
  const migration_id = await analyzeOrg(context);
  const objects = { Account: { phase: 2 }, Contact: { phase: 2 } };
  await runOnce(context, migration_id, { configuration: { objects }, phase: 2 });
  // No phase reads what is created between the two, so none may miss it.
  await setTimeout(1100);
  await org.mutate({ op: "insert", object: "Account", fields: { Name: "Late" } });
  await setTimeout(1100);
  await runOnce(context, migration_id, { phase: 1 });
  await expect(ask(getProof, context, migration_id)).rejects.toMatchObject({ code: "not_found" });
  const hasProof = async () => valueOf(await execute(getMigration, context, { migration_id })).has_proof;
  expect(await hasProof()).toBe(false);
  const requested = await ask(proveMigration, context, migration_id);
  expect(requested).toMatchObject({ status: "pending", proven: null, objects: [] });
  expect(await hasProof()).toBe(true);
  expect((await ask(proveMigration, context, migration_id)).requested_at).toBe(requested.requested_at);
  const proof = await leaving("the proof", () => ask(getProof, context, migration_id), ["pending"]);
  expect(proof).toMatchObject({ status: "done", proven: true, failure: null, run_number: 2 });
  expect(proof.objects.reduce((sum, { source }) => sum + source, 0)).toBe(300);
  await runOnce(context, migration_id, { phase: 1 });
  const kept = await ask(getProof, context, migration_id);
  expect(kept).toMatchObject({ read_until: expect.any(String), run_number: 2 });
  expect(kept.read_until).toBe(proof.read_until);
  const again = await ask(proveMigration, context, migration_id);
  expect(again).toMatchObject({ status: "pending", objects: [] });
});

test("a proof goes on after faults that pass, and says why it failed after one that does not", async () => {
  const { context, migration_id } = imported;
  await org.setRules([{ soql: "GROUP BY", status: 503, body: "away", headers: { "Retry-After": "0" }, times: 2 }]);
  await ask(proveMigration, context, migration_id);
  expect(await leaving("the proof", () => ask(getProof, context, migration_id), ["pending"])).toMatchObject({
    status: "done",
    proven: true,
  });
  await org.setRules([{ path: "/query", preset: "INVALID_SESSION_ID" }]);
  await ask(proveMigration, context, migration_id);
  const failed = await leaving("the proof", () => ask(getProof, context, migration_id), ["pending"]);
  expect(failed).toMatchObject({ status: "failed", proven: null, failure: { code: "source_token_refused" } });
  expect(failed.failure?.remedy).toContain("Then compare again");
});

test("objects that a failed run has not read to their end are named, and nothing is proven", async () => {
  const context = await createContext();
  const migration_id = await analyzeOrg(context);
  await org.setRules([
    { object: "Contact", soql: "ORDER BY Id", status: 400, body: '[{"errorCode":"MALFORMED_QUERY","message":"no"}]' },
  ]);
  await runOnce(context, migration_id);
  await org.setRules([]);
  await ask(proveMigration, context, migration_id);
  const proof = await leaving("the proof", () => ask(getProof, context, migration_id), ["pending"]);
  expect(proof).toMatchObject({ status: "done", proven: false, objects: [{ object: "Account", proven: true }] });
  expect(proof.not_read).toEqual(expect.arrayContaining(["Contact", "Case"]));
  await runOnce(context, migration_id);
  await ask(proveMigration, context, migration_id);
  const whole = await leaving("the proof", () => ask(getProof, context, migration_id), ["pending"]);
  expect(whole).toMatchObject({ proven: true, not_read: [] });
});

test("a proof ends when a run begins meanwhile, and says so", async () => {
  const { context, migration_id } = imported;
  await org.setRules([{ soql: "GROUP BY", delayMs: 1000, times: 1 }]);
  const { run_number } = await ask(proveMigration, context, migration_id);
  await runOnce(context, migration_id);
  const proof = await leaving("the proof", () => ask(getProof, context, migration_id), ["pending"]);
  expect(proof).toMatchObject({ status: "failed", run_number, failure: { code: "illegal_state" } });
  expect(proof.failure?.detail).toBe("A run began meanwhile. Compare again when it has ended.");
});

test("fields are not compared by choices that were changed since the run, until a full run applies them", async () => {
  // Its own, since it keeps the choices.
  const { context, migration_id } = await importOrg();
  await execute(putConfiguration, context, { migration_id, objects: { Account: { fields: { Industry: null } } } });
  const proveNow = async () => {
    await ask(proveMigration, context, migration_id);
    const proof = await leaving("the proof", () => ask(getProof, context, migration_id), ["pending"]);
    return { proof, account: proof.objects.find(({ object }) => object === "Account") };
  };
  const { proof, account } = await proveNow();
  expect(proof).toMatchObject({ status: "done", proven: false });
  expect(proof.objects.filter(({ proven }) => !proven).map(({ object }) => object)).toEqual(["Account"]);
  expect(account?.amounts[0]?.not_compared_because).toContain("The choices for this object were changed after the run");
  await runOnce(context, migration_id);
  expect((await proveNow()).proof.proven).toBe(true);
});

test("a migration that was cancelled before it read anything has nothing to prove, and says so", async () => {
  const context = await createContext();
  const migration_id = await analyzeOrg(context);
  await pool().query("UPDATE migrations SET status = 'cancelled' WHERE id = $1", [migration_id]);
  await expect(ask(proveMigration, context, migration_id)).rejects.toMatchObject({
    code: "illegal_state",
    message: expect.stringContaining("ended before it read anything"),
  });
});

test("nobody proves the migration of another organization", async () => {
  const { migration_id } = imported;
  const stranger = await createContext();
  for (const operation of [proveMigration, getProof])
    await expect(ask(operation, stranger, migration_id)).rejects.toMatchObject({ code: "not_found" });
});
