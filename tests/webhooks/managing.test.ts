import { describe, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { openSecret } from "@/lib/webhooks/sending/signing";
import { pool } from "@/tests/support/owner";

import { ASKED, type Caller, clientOf } from "@/tests/webhooks/support/call-webhooks";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

async function created(more: object = {}) {
  const admin = await clientOf();
  const answer = await admin.call("POST", "/webhooks", { ...ASKED, ...more });
  return { ...admin, answer, path: `/webhooks/${answer.body.id}` };
}

async function storedIn({ context }: Caller, id: unknown) {
  const { rows } = await pool().query("SELECT * FROM webhooks WHERE organization_id = $1 AND id = $2", [
    context.organizationId,
    id,
  ]);
  return rows[0] as Record<string, unknown> & Record<"secret" | "previous_secret", Buffer | null>;
}

/** The present and the previous secret of a stored webhook. */
function secretsOf(
  { context }: Pick<Caller, "context">,
  stored: { id?: unknown } & Record<"secret" | "previous_secret", Buffer | null>,
) {
  const key = { organizationId: context.organizationId, webhookId: String(stored.id) };
  return (["secret", "previous_secret"] as const).map(
    (column) => stored[column] && openSecret(key, column, stored[column]),
  );
}

describe("creating a webhook", () => {
  test("answers it whole, with an address to find it at", async () => {
    const { answer, call, path } = await created({
      events: ["case.*", "lead.converted", "case.*"],
      description: " Tells the desk ",
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("location")).toBe(`/api/v1${path}`);
    expect(answer.headers.get("etag")).toBe('"1"');
    const expected = {
      id: answer.body.id,
      created_at: answer.body.created_at,
      updated_at: answer.body.created_at,
      version: 1,
      url: ASKED.url,
      description: "Tells the desk",
      events: ["case.*", "lead.converted"],
      active: true,
      disabled_at: null,
      disabled_reason: null,
      url_set_by: expect.stringMatching(/@example\.com$/),
      client_id: expect.stringMatching(/^crm_/),
      client_name: "Test client",
      is_signed: false,
      previous_secret_expires_at: null,
      last_delivered_at: null,
      last_failed_at: null,
      failing_since: null,
      pending_deliveries: 0,
      failed_deliveries: 0,
    };
    expect(answer.body).toEqual(expected);
    expect((await call("GET", path)).body).toEqual(expected);
    expect((await call("GET", "/webhooks")).body).toEqual({ data: [expected], next_cursor: null, has_more: false });
  });

  test("gives a generated secret out once, and one that was sent never", async () => {
    const generated = await created({ generate_secret: true });
    expect(generated.answer.body).toMatchObject({
      is_signed: true,
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    });
    const given = await created({ secret: SECRET });
    expect(given.answer.body).toMatchObject({ is_signed: true });
    expect(given.answer.text).not.toContain(SECRET);
    expect(secretsOf(given, await storedIn(given, given.answer.body.id))).toEqual([SECRET, null]);
    for (const { call, path, answer } of [generated, given]) {
      for (const asked of [path, "/webhooks", "/events"]) {
        const { text } = await call("GET", asked);
        expect([text.includes("whsec_"), text.includes(String(answer.body.secret))]).toEqual([false, false]);
      }
    }
  });

  test("gives the same secret to a repeated request, and keeps it nowhere in the clear", async () => {
    const { call, context } = await clientOf();
    const headers = { "idempotency-key": newId() };
    const first = await call("POST", "/webhooks", { ...ASKED, generate_secret: true }, headers);
    const again = await call("POST", "/webhooks", { ...ASKED, generate_secret: true }, headers);
    expect([again.headers.get("idempotent-replayed"), again.text]).toEqual(["true", first.text]);
    const tables = ["idempotency_keys", "webhooks", "audit_events"];
    const texts = tables.map((table) =>
      pool().query<{ row: string }>(`SELECT t::text AS row FROM ${table} t WHERE organization_id = $1`, [
        context.organizationId,
      ]),
    );
    const kept = (await Promise.all(texts)).flatMap(({ rows }) => rows.map(({ row }) => row));
    const secret = String(first.body.secret);
    expect(kept.length).toBe(3);
    for (const form of [secret, secret.slice(6), Buffer.from(secret).toString("hex")])
      expect(kept.join("\n")).not.toContain(form);
  });

  test.each([
    [{ url: "nonsense" }, "/url", /not an address/],
    [{ url: "https://exam ple.com" }, "/url", /not an address/],
    [{ url: "https://ada:secret@example.com" }, "/url", /user name or password/],
    [{ url: "ftp://example.com" }, "/url", /https/],
    [{ url: `https://example.com/${"x".repeat(2000)}` }, "/url", /2000/],
    [{ events: [] }, "/events", /at least one/],
    [{ events: ["case.created", "cases.created"] }, "/events/1", /did you mean `case.created`/],
    [{ events: ["product.created"] }, "/events/0", /no event of webhooks/],
    [{ events: ["webhook.test"] }, "/events/0", /no event of webhooks/],
    [{ events: "*" }, "/events", /list/],
    [{ description: "x".repeat(501) }, "/description", /500/],
    [{ description: "a\u202Eb" }, "/description", /invisible/],
    [{ secret: "short" }, "/secret", /8 to 128/],
    [{ secret: "whsec_c2hvcnQ=" }, "/secret", /24 to 64/],
    [{ secret: SECRET, generate_secret: true }, "/generate_secret", /not both/],
    [{ active: "yes" }, "/active", /true or false/],
    [{ name: "x" }, "/name", /not known/],
  ])("refuses %o and says where and why", async (wrong, pointer, detail) => {
    const { answer } = await created(wrong);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ pointer, detail: expect.stringMatching(detail) }]);
  });

  test("is refused beyond fifty, also when many are created at once", async () => {
    const { call } = await clientOf();
    for (let index = 0; index < 48; index += 1) await call("POST", "/webhooks", ASKED);
    const last = await Promise.all(Array.from({ length: 5 }, () => call("POST", "/webhooks", ASKED)));
    expect(last.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
    expect(last.find(({ status }) => status === 409)?.body).toMatchObject({
      code: "conflict",
      detail: expect.stringContaining("50 webhooks"),
    });
    const first = await call("GET", "/webhooks?limit=30");
    const second = await call("GET", `/webhooks?limit=30&cursor=${String(first.body.next_cursor)}`);
    expect([first.body.data.length, second.body.data.length, second.body.has_more]).toEqual([30, 20, false]);
  });
});

describe("only admins, and clients that act for them, come near webhooks:", () => {
  const paths = ["GET /webhooks", "POST /webhooks", "GET /webhooks/{}", "PATCH /webhooks/{}", "DELETE /webhooks/{}"];
  const more = [
    "POST /webhooks/{}/test",
    "POST /webhooks/{}/recover",
    "GET /webhooks/{}/deliveries",
    "GET /webhooks/{}/deliveries/{}",
  ];
  const all = [...paths, "POST /webhooks/{}/rotate_secret", ...more, "POST /webhooks/{}/deliveries/{}/resend"];

  test.each(all)("a member's client may not %s", async (each) => {
    const [method = "", path = ""] = each.replaceAll("{}", newId()).split(" ");
    const { call } = await clientOf({ role: "member" });
    const { status, body } = await call(method, path, ASKED);
    expect([status, body.code]).toEqual([403, "forbidden"]);
  });

  test.each(all)("a client that may only read is told so by %s", async (each) => {
    const [method = "", path = ""] = each.replaceAll("{}", newId()).split(" ");
    const { call } = await clientOf({ scopes: ["crm:read"] });
    const { status, body } = await call(method, path, ASKED);
    const expected =
      method === "GET" ? (path === "/webhooks" ? [200, undefined] : [404, "not_found"]) : [403, "insufficient_scope"];
    expect([status, body.code]).toEqual(expected);
  });
});

describe("changing a webhook", () => {
  test("changes what is sent and nothing else; what is so already is no change", async () => {
    const { call, path, answer } = await created({ secret: SECRET });
    const changed = await call("PATCH", path, { events: ["*"], url: "https://example.com:8443/other" });
    expect(changed.body).toEqual({
      ...answer.body,
      events: ["*"],
      url: "https://example.com:8443/other",
      version: 2,
      updated_at: changed.body.updated_at,
    });
    expect((await call("PATCH", path, { events: ["*"] })).body).toEqual(changed.body);
    expect((await call("PATCH", path, {})).body).toEqual(changed.body);
    expect((await call("PATCH", path, { description: "" })).body).toEqual(changed.body);
  });

  test("goes by the version that the client has seen", async () => {
    const { call, path } = await created();
    expect((await call("PATCH", path, { events: ["*"] }, { "if-match": '"1"' })).status).toBe(200);
    expect((await call("PATCH", path, { events: ["lead.*"] }, { "if-match": '"1"' })).status).toBe(412);
    expect((await call("POST", `${path}/rotate_secret`, {}, { "if-match": '"1"' })).status).toBe(412);
    expect((await call("DELETE", path, {}, { "if-match": '"1"' })).status).toBe(412);
    expect((await call("DELETE", path, {}, { "if-match": '"2"' })).status).toBe(200);
  });

  test("is shown to whoever has the version already, since how it does has no version", async () => {
    const { call, path } = await created();
    expect(await call("GET", path, {}, { "if-none-match": '"1"' })).toMatchObject({
      status: 200,
      body: { pending_deliveries: 0 },
    });
  });

  test("switched off it says since when, switched on again it begins anew", async () => {
    const { call, path, context, answer } = await created();
    expect((await call("PATCH", path, { active: false })).body).toMatchObject({
      active: false,
      disabled_at: expect.any(String),
      disabled_reason: null,
    });
    const fail = `UPDATE webhooks SET disabled_reason = 'failing', failing_since = now() - interval '6 days'
        WHERE organization_id = $1`;
    await pool().query(fail, [context.organizationId]);
    const off = await call("PATCH", path, { description: "Off" });
    expect(off.body).toMatchObject({ active: false, disabled_reason: "failing", failing_since: expect.any(String) });
    const on = await call("PATCH", path, { active: true });
    expect(on.body).toMatchObject({ active: true, disabled_at: null, disabled_reason: null, failing_since: null });
    expect((await storedIn({ call, context }, answer.body.id)).drain_asked_at).not.toBeNull();
  });

  test("one that is created switched off is off since then", async () => {
    const { answer } = await created({ active: false });
    expect(answer.body).toMatchObject({ active: false, disabled_at: answer.body.created_at, disabled_reason: null });
  });
});

test("a rotated secret is generated or given, and the old one signs for a day or until the next rotation", async () => {
  const { call, path, context, answer } = await created();
  const unsigned = await call("POST", `${path}/rotate_secret`, { secret: SECRET });
  expect(unsigned.body).toMatchObject({ is_signed: true, previous_secret_expires_at: null, version: 2 });
  expect(unsigned.text).not.toContain(SECRET);
  const rotated = await call("POST", `${path}/rotate_secret`, {});
  expect(rotated.body.secret).toMatch(/^whsec_/);
  const hours = (Date.parse(String(rotated.body.previous_secret_expires_at)) - Date.now()) / 3_600_000;
  expect(Math.abs(hours - 24)).toBeLessThan(0.1);
  const stored = await storedIn({ call, context }, answer.body.id);
  expect(secretsOf({ context }, stored)).toEqual([rotated.body.secret, SECRET]);
  expect((await call("POST", `${path}/rotate_secret`, { secret: "short" })).body.errors).toMatchObject([
    { pointer: "/secret" },
  ]);
  const again = await call("POST", `${path}/rotate_secret`, {});
  expect(secretsOf({ context }, await storedIn({ call, context }, answer.body.id))).toEqual([
    again.body.secret,
    rotated.body.secret,
  ]);
});

test("a deleted webhook is gone, with its deliveries and attempts", async () => {
  const { call, path, answer, context } = await created();
  const { event_id } = (await call("POST", `${path}/test`)).body;
  const attempt = `INSERT INTO webhook_attempts (organization_id, webhook_id, event_id, number, attempted_at, url,
      latency_ms)
      VALUES ($1, $2, $3, 1, now(), 'x', 1)`;
  await pool().query(attempt, [context.organizationId, answer.body.id, event_id]);
  const gone = await call("DELETE", path);
  expect([gone.status, gone.body]).toEqual([200, { id: answer.body.id, deleted: true }]);
  expect((await call("GET", path)).status).toBe(404);
  expect((await call("DELETE", path)).status).toBe(404);
  for (const table of ["webhook_deliveries", "webhook_attempts"]) {
    expect(
      (await pool().query(`SELECT FROM ${table} WHERE organization_id = $1`, [context.organizationId])).rowCount,
    ).toBe(0);
  }
});
