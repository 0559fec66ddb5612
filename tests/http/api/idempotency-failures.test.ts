import { beforeEach, describe, expect, test, vi } from "vitest";

import { transaction, withoutCommitTask } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { abandonAttempt, beginAttempt, runAttempt } from "@/lib/http/api/idempotency";
import type { ResourceName } from "@/lib/records/schema/resources";
import { callRoute } from "@/tests/http/support/call-route";
import { createAccessToken, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { isReplayed, type Keyed, keyedRequests } from "@/tests/http/support/idempotency-requests";
import { losingCommits } from "@/tests/http/support/losing-commits";

let context: Keyed["context"];
let call: Keyed["call"];
let createWith: Keyed["createWith"];
let rowsOf: Keyed["rowsOf"];
let setKeys: Keyed["setKeys"];

/** An item of a batch. */
const create = (data: object) => ({ action: "create", data });

/** What a record needs beside the required fields. */
const NEW: Partial<Record<ResourceName, Record<string, unknown>>> = { leads: { company: "Huber GmbH" } };

beforeEach(async () => {
  ({ context, call, createWith, rowsOf, setKeys } = await keyedRequests());
});

test("the response to a defect is not kept: the repeat is carried out", async () => {
  await pool().query("ALTER TABLE events RENAME TO mislaid");
  try {
    expect((await createWith("key-11")).status).toBe(500);
  } finally {
    await pool().query("ALTER TABLE mislaid RENAME TO events");
  }
  const repeated = await createWith("key-11");
  expect([repeated.status, isReplayed(repeated)]).toEqual([201, false]);
});

describe("after a COMMIT with a lost reply", () => {
  test("the request is to be repeated, and the repeat gets the answer of the work, which was done once", async () => {
    const lost = await losingCommits(() => createWith("key-30"));
    expect([lost.status, lost.body.code, lost.headers.get("retry-after")]).toEqual([503, "service_unavailable", "5"]);
    expect(lost.body.detail).toContain("repeat it with the same `Idempotency-Key`");
    const repeated = await createWith("key-30");
    expect([repeated.status, isReplayed(repeated), repeated.headers.get("etag")]).toEqual([201, true, '"1"']);
    expect(await rowsOf("accounts")).toEqual([expect.objectContaining({ id: repeated.body.id })]);
  });

  test.each<[string, ResourceName, string, object]>([
    ["a batch", "contacts", "/contacts/batch", { mode: "per_item", items: [create({ last_name: "Berger" })] }],
    ["a restoring", "accounts", "/accounts/:id/restore", {}],
    ["a comment", "cases", "/cases/:id/comments", { body: "It is the valve" }],
    ["an escalation", "cases", "/cases/:id/escalate", { reason: "It burns" }],
    ["a conversion", "leads", "/leads/:id/convert", {}],
  ])("the repeat of %s gets the answer too", async (_, resource, path, body) => {
    const id = await insertRecord(resource, context.organizationId, NEW[resource]);
    if (path.endsWith("/restore")) await call("DELETE", `/${resource}/${id}`);
    const headers = { authorization: `Bearer ${await createAccessToken(context)}`, "idempotency-key": "key-32" };
    const send = () => callRoute("POST", path.replace(":id", id), headers, body);
    expect((await losingCommits(send)).status).toBe(503);
    const eventsOfFirst = await rowsOf("events");
    const repeated = await send();
    expect([repeated.status < 300, repeated.headers.get("idempotent-replayed")]).toEqual([true, "true"]);
    expect(await rowsOf("events")).toHaveLength(eventsOfFirst.length);
  });
});

test("the repeat of what shows a secret once gets the same secret", async () => {
  const headers = { authorization: `Bearer ${await createAccessToken(context)}`, "idempotency-key": "key-35" };
  const body = { url: "https://hooks.example.com/crm", events: ["*"], generate_secret: true };
  const send = () => callRoute("POST", "/webhooks", headers, body);
  expect((await losingCommits(send)).status).toBe(503);
  const repeats = [await send(), await send()].map(({ status, text }) => [status, JSON.parse(text) as object]);
  expect(repeats[0]).toEqual([201, expect.objectContaining({ secret: expect.stringMatching(/^whsec_/) })]);
  expect(repeats[1]).toEqual(repeats[0]);
  expect(await rowsOf("webhooks")).toHaveLength(1);
});

test("an attempt whose key another one has claimed meanwhile undoes its work", async () => {
  await pool().query(`CREATE FUNCTION claim() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN UPDATE idempotency_keys SET attempt = gen_random_uuid(); RETURN NEW; END $$;
    CREATE TRIGGER claim BEFORE INSERT ON events EXECUTE FUNCTION claim()`);
  try {
    expect((await createWith("key-33")).body.code).toBe("idempotency_key_in_use");
  } finally {
    await pool().query("DROP TRIGGER claim ON events; DROP FUNCTION claim");
  }
  expect([await rowsOf("accounts"), await rowsOf("events")]).toEqual([[], []]);
});

test("a response that asks to try again is not kept: the repeat is carried out", async () => {
  await pool().query(`CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '40P01'; END $$;
    CREATE TRIGGER undo BEFORE INSERT ON events EXECUTE FUNCTION undo()`);
  try {
    const refused = await createWith("key-29");
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
      429,
      "too_many_requests",
      "1",
    ]);
  } finally {
    await pool().query("DROP TRIGGER undo ON events");
  }
  const repeated = await createWith("key-29");
  expect([repeated.status, isReplayed(repeated)]).toEqual([201, false]);
});

const die = () => setKeys("status = NULL, headers = NULL, body = NULL");
const endLease = () => setKeys("leased_until = now() - interval '1 second'");

describe("when the service died over the first before it had committed anything", () => {
  test("the repeat waits for the lease, and is carried out then", async () => {
    await createWith("key-12");
    await die();
    expect((await createWith("key-12")).body.code).toBe("idempotency_key_in_use");
    await endLease();
    expect((await createWith("key-12", "Another")).body.code).toBe("idempotency_key_reused");
    const repeated = await createWith("key-12");
    expect([repeated.status, isReplayed(repeated)]).toEqual([201, false]);
    expect(isReplayed(await createWith("key-12"))).toBe(true);
  });

  test("of many repeats at once one is carried out", async () => {
    await createWith("key-13");
    await die();
    await endLease();
    await Promise.all(Array.from({ length: 8 }, () => createWith("key-13")));
    expect(await rowsOf("accounts")).toHaveLength(2);
  });
});

async function commitAndFail(): Promise<void> {
  await transaction((client) => client.query("SELECT 1"));
  await transaction((client) => client.query("SELECT 1 / 0"));
}

async function commitTwice(): Promise<void> {
  await transaction((client) => client.query("SELECT 1"));
  await transaction((client) => client.query("SELECT 2"));
}

function keyedRequest(key: string) {
  const headers = { "idempotency-key": key };
  return { request: new Request("http://localhost/api/v1/accounts", { method: "POST", headers }), context, input: {} };
}

test("a defect behind a transaction that was committed does not free the key for doing that again", async () => {
  const keyed = keyedRequest("key-34");
  await inOrganization(context.organizationId, async () => {
    const attempt = await beginAttempt(keyed);
    const error: unknown = await runAttempt(attempt, commitAndFail).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: "division by zero" });
    await abandonAttempt(attempt, error);
    await expect(beginAttempt(keyed)).rejects.toMatchObject({ code: "idempotency_key_in_use" });
    await endLease();
    await expect(beginAttempt(keyed)).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });
});

test("what several transactions did is not done again after its answer was lost", async () => {
  const keyed = keyedRequest("key-31");
  await inOrganization(context.organizationId, async () => {
    await runAttempt(await beginAttempt(keyed), commitTwice);
    await expect(beginAttempt(keyed)).rejects.toMatchObject({ code: "idempotency_key_in_use" });
    await endLease();
    const repeats = await Promise.allSettled(Array.from({ length: 8 }, () => beginAttempt(keyed)));
    const refused = {
      code: "idempotency_key_reused",
      message: expect.stringContaining("carried out, at least in part"),
    };
    expect(repeats).toEqual(repeats.map(() => ({ status: "rejected", reason: expect.objectContaining(refused) })));
  });
});

test("what goes on behind a request, or may be repeated as a whole, does not count as its work", async () => {
  const keyed = keyedRequest("key-36");
  await inOrganization(context.organizationId, async () => {
    await runAttempt(await beginAttempt(keyed), () => withoutCommitTask(commitTwice));
    await endLease();
    await expect(beginAttempt(keyed)).resolves.toBeDefined();
  });
});

test("a repeat that waits too long for a commit of the first is told that it is in flight", async () => {
  await createWith("key-37");
  await die();
  await endLease();
  const first = await pool().connect();
  await first.query("BEGIN");
  await first.query("UPDATE idempotency_keys SET committed = true WHERE organization_id = $1", [
    context.organizationId,
  ]);
  try {
    expect((await createWith("key-37")).body.code).toBe("idempotency_key_in_use");
  } finally {
    await first.query("ROLLBACK");
    first.release();
  }
});

test("a repeat waits for a commit of the first that is under way, and does not do the work again", async () => {
  await createWith("key-32");
  await die();
  await endLease();
  // The first, whose process lives on although its lease has ended.
  const first = await pool().connect();
  await first.query("BEGIN");
  await first.query("UPDATE idempotency_keys SET committed = true WHERE organization_id = $1", [
    context.organizationId,
  ]);
  const repeat = createWith("key-32");
  await untilBlocked();
  await first.query("COMMIT");
  first.release();
  expect((await repeat).body.code).toBe("idempotency_key_reused");
  expect(await rowsOf("accounts")).toHaveLength(1);
});

async function untilBlocked(): Promise<void> {
  const BLOCKED =
    "SELECT FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0 AND query ~ 'idempotency_keys'";
  await vi.waitUntil(async () => (await pool().query(BLOCKED)).rowCount, { timeout: 60_000 });
}
