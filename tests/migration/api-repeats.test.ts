import { beforeEach, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { callRoute } from "@/tests/http/support/call-route";
import { losingCommits } from "@/tests/http/support/losing-commits";
import { countStored, recordJobs } from "@/tests/migration/support/api-service";
import { createReady } from "@/tests/migration/support/ready-migration";
import { useSandboxApi } from "@/tests/migration/support/sandbox-api";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const here = useSandboxApi();

const SAME_NAME = { match: [{ fields: ["name"] }] };

let context: Context;
let jobs: ReturnType<typeof recordJobs>;

beforeEach(async () => {
  context = await createContext();
  jobs = recordJobs();
});

/** Sends a request with a key, as often as it is called. */
async function keyed(path: string, body: object) {
  const headers = { authorization: `Bearer ${await createAccessToken(context)}`, "idempotency-key": "key-1" };
  return async () => {
    const { status, headers: given, text } = await callRoute("POST", path, headers, body);
    return { status, replayed: given.get("idempotent-replayed"), body: JSON.parse(text) as Record<string, unknown> };
  };
}

test("who repeats an analysis whose answer was lost gets its answer, and there is one migration", async () => {
  const { instanceUrl, accessToken } = here.org;
  const send = await keyed("/migration/analyze", { ext_instance_url: instanceUrl, ext_access_token: accessToken });
  expect(await losingCommits(send)).toMatchObject({ status: 503 });
  expect(await send()).toMatchObject({ status: 202, replayed: "true", body: { status: "analyzing", connected: true } });
  expect(await countStored(context.organizationId)).toEqual({ connections: 1, migrations: 1 });
});

test.each([
  ["run", "ready", "running"],
  ["pause", "running", "paused"],
  ["resume", "paused", "running"],
  ["cancel", "running", "cancelled"],
  ["undo", "completed", "undoing"],
])("who repeats “%s” after its answer was lost gets its answer", async (action, from, to) => {
  const id = await createReady(context);
  await pool().query("UPDATE migrations SET status = $2::migration_status, read_until = now() WHERE id = $1", [
    id,
    from,
  ]);
  const send =
    action === "run"
      ? await keyed("/migration/run", { migration_id: id })
      : await keyed(`/migration/${id}/${action}`, {});
  expect(await losingCommits(send)).toMatchObject({ status: 503 });
  const repeated = await send();
  expect(repeated).toMatchObject({ replayed: "true", body: { migration_id: id, status: to } });
  expect(repeated.status).toBeLessThan(300);
});

test.each([
  ["proof", {}, "completed"],
  ["conflicts/decide", { object: "Account", take: "ours" }, "completed"],
  ["duplicates/preview", { configuration: { objects: { Account: { duplicates: { rules: [SAME_NAME] } } } } }, "ready"],
])("who repeats a request for “%s” after its answer was lost gets its answer", async (part, body, status) => {
  const id = await createReady(context);
  await pool().query("UPDATE migrations SET status = $2::migration_status, read_until = now() WHERE id = $1", [
    id,
    status,
  ]);
  const send = await keyed(`/migration/${id}/${part}`, body);
  expect(await losingCommits(send)).toMatchObject({ status: 503 });
  const repeated = await send();
  expect(repeated).toMatchObject({ replayed: "true" });
  expect(repeated.status).toBeLessThan(300);
});

test("a first answer says that its job waits for the engine, and a repeat gets the one of the commit", async () => {
  jobs.failWith(new Error("The engine is away."));
  const send = await keyed("/migration/run", { migration_id: await createReady(context) });
  const first = await send();
  expect(first).toMatchObject({ status: 202, replayed: null, body: { waiting: { for: "job_engine" } } });
  expect(await send()).toEqual({ ...first, replayed: "true", body: { ...first.body, waiting: null } });
});
