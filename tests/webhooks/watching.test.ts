import { beforeAll, describe, expect, test } from "vitest";

import { MAX_UUID, minIdAt, newId } from "@/lib/ids";
import { DELIVERY_STATES } from "@/lib/webhooks/deliveries/delivery-schema";
import { ALL_DELIVERIES, FILTERED_DELIVERIES } from "@/lib/webhooks/deliveries/read-deliveries";
import { WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";
import { feed, settled } from "@/tests/records/support/read-events";
import { pool } from "@/tests/support/owner";

import { ASKED, type Caller, clientOf } from "@/tests/webhooks/support/call-webhooks";
import { deliveriesOf } from "@/tests/webhooks/support/own-webhook";

const ids = (answer: { body: { data: Record<string, unknown>[] } }) => answer.body.data.map(({ event_id }) => event_id);

let admin: Caller;
let path: string;
let webhookId: string;

/** Event and delivery of a given type, state and age in minutes. */
async function insert(
  type: string,
  state: string,
  minutes: number,
  attempts: { status: number | null; error: string | null }[] = [],
): Promise<string> {
  const { organizationId } = admin.context;
  const at = new Date(Date.now() - minutes * 60_000);
  const id = minIdAt(at).slice(0, -12) + newId().slice(-12);
  const event = `INSERT INTO events (organization_id, id, created_at, type, record_id, object, previous)
    VALUES ($1, $2, $3, $4, $5, '{"name":"A"}', NULL) RETURNING tx`;
  const { rows } = await pool().query<{ tx: string }>(event, [organizationId, id, at, type, newId()]);
  await pool().query(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, state, created_at,
        attempts, next_attempt_at)
     VALUES ($1, $2, $3, $4, $5, $6::webhook_delivery_state, $7, $8, CASE WHEN $6::text = 'pending'
       THEN $7::timestamptz + interval '1 hour' END)`,
    [organizationId, webhookId, id, rows[0]?.tx, type, state, at, attempts.length],
  );
  for (const [index, { status, error }] of attempts.entries()) {
    await pool().query(
      `INSERT INTO webhook_attempts (organization_id, webhook_id, event_id, number, attempted_at, url, latency_ms,
          status, error, response_headers, response_body)
       VALUES ($1, $2, $3, $4, $5, 'https://hooks.example.com/before', $6, $7, $8, $9, $10)`,
      [
        organizationId,
        webhookId,
        id,
        index + 1,
        at,
        10 + index,
        status,
        error,
        status && { server: "x" },
        status && "body",
      ],
    );
  }
  return id;
}

beforeAll(async () => {
  admin = await clientOf();
  const { body } = await admin.call("POST", "/webhooks", { ...ASKED, active: false });
  webhookId = body.id;
  path = `/webhooks/${webhookId}`;
});

describe("the log", () => {
  const inserted: { id: string; type: string; state: string }[] = [];
  const types = ["case.created", "case.updated", "lead.created"];
  const states = ["pending", "delivered", "failed"];

  beforeAll(async () => {
    for (let minutes = 40; minutes > 0; minutes -= 1) {
      const [type = "", state = ""] = [types[minutes % 3], states[(minutes >> 2) % 3]];
      inserted.unshift({
        type,
        state,
        id: await insert(type, state, minutes, state === "pending" ? [] : [{ status: 200, error: null }]),
      });
    }
  });

  test.each([
    "",
    "state=failed",
    "event=case.*",
    "event=lead.created&state=pending",
    "event=*&state=delivered",
    "state=pending&event=case.deleted",
  ])("lists newest first, page by page, what “%s” asks for", async (query) => {
    const wanted = new URLSearchParams(query);
    const matches = (type: string) => new RegExp(`^${(wanted.get("event") ?? "*").replace("*", ".*")}$`).test(type);
    const expected = inserted
      .filter(({ type, state }) => matches(type) && state === (wanted.get("state") ?? state))
      .map(({ id }) => id);
    const found: unknown[] = [];
    let cursor = "";
    do {
      const answer = await admin.call("GET", `${path}/deliveries?limit=4&${query}${cursor && `&cursor=${cursor}`}`);
      found.push(...ids(answer));
      cursor = String(answer.body.next_cursor ?? "");
    } while (cursor);
    expect(found).toEqual(expected);
  });

  test.each([
    ["state=late", "?state", "pending, delivered, failed"],
    ["event=cases.created", "?event", "did you mean `case.created`"],
    ["event=product.*", "?event", "no event of webhooks"],
    ["cursor=x", "?cursor", "next_cursor"],
    ["limit=201", "?limit", "1 to 200"],
    ["type=case.created", "?type", "not a parameter"],
  ])("refuses %s", async (query, pointer, detail) => {
    const { status, body } = await admin.call("GET", `${path}/deliveries?${query}`);
    expect([status, body.errors]).toMatchObject([400, [{ pointer, detail: expect.stringContaining(detail) }]]);
  });

  test("reads each filter from ranges of an index, however many deliveries there are", async () => {
    const { organizationId } = admin.context;
    const other = newId();
    await pool().query(
      `INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, state, created_at)
       SELECT $1, $2, gen_random_uuid(), 1, 'case.created', 'delivered', now() FROM generate_series(1, 20000)`,
      [organizationId, other],
    );
    await pool().query("ANALYZE webhook_deliveries");
    const values = [organizationId, other, MAX_UUID, 51];
    const filters: [states: readonly string[], types: readonly string[]][] = [
      [["delivered"], WEBHOOK_EVENTS],
      [DELIVERY_STATES, ["case.created"]],
      [["failed"], ["case.created"]],
    ];
    const plans = [
      planOf(ALL_DELIVERIES, values),
      ...filters.map((filter) => planOf(FILTERED_DELIVERIES, [...values, ...filter])),
    ];
    for (const plan of await Promise.all(plans)) {
      expect(plan).toMatch(/"Index (Only )?Scan( Backward)?"/);
      expect(plan).not.toContain('"Seq Scan"');
      const rows = [...plan.matchAll(/"Actual Rows":([\d.]+)/g)].map(([, count]) => Number(count));
      expect(Math.max(...rows)).toBeLessThanOrEqual(3 * 51);
    }
  });
});

async function planOf(text: string, values: unknown[]): Promise<string> {
  const { rows } = await pool().query<{ "QUERY PLAN": object[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  return JSON.stringify(rows[0]?.["QUERY PLAN"]);
}

test("one delivery shows what is sent and every attempt, the latest first", async () => {
  const failed = { status: null, error: "The endpoint refused the connection." };
  const id = await insert("case.created", "pending", 1, [
    failed,
    { status: 502, error: "The endpoint answered 502; a delivery needs a 2xx." },
  ]);
  await settled();
  const { data } = await feed(admin.context, { order: "desc", limit: 200 });
  const { status, body } = await admin.call("GET", `${path}/deliveries/${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    event_id: id,
    event: "case.created",
    state: "pending",
    attempts: 2,
    next_attempt_at: expect.stringMatching(/Z$/),
  });
  expect(body.last_attempt).toMatchObject({
    status: 502,
    latency_ms: 11,
    error: expect.stringContaining("502"),
    attempted_at: body.created_at,
  });
  expect(body.request).toEqual({
    url: ASKED.url,
    headers: { "content-type": "application/json", "user-agent": "CRM-Webhooks/1", "webhook-id": id },
    body: data.find((event) => event.id === id),
  });
  expect(body.attempts_log).toMatchObject([
    { number: 2, status: 502, response_headers: { server: "x" }, response_body: "body" },
    {
      number: 1,
      ...failed,
      url: "https://hooks.example.com/before",
      latency_ms: 10,
      response_headers: null,
      response_body: null,
    },
  ]);
  const { data: listed } = (await admin.call("GET", `${path}/deliveries?limit=1`)).body;
  expect(listed[0]).toEqual(
    Object.fromEntries(Object.entries(body).filter(([name]) => !["request", "attempts_log"].includes(name))),
  );
});

test("of a delivery that was resent again and again, the last hundred attempts are shown", async () => {
  const failed = { status: 502, error: "The endpoint answered 502; a delivery needs a 2xx." };
  const id = await insert(
    "case.created",
    "failed",
    1,
    Array.from({ length: 103 }, () => failed),
  );
  const { body } = await admin.call("GET", `${path}/deliveries/${id}`);
  const numbers = (body.attempts_log as { number: number }[]).map(({ number }) => number);
  expect([body.attempts, numbers]).toEqual([103, Array.from({ length: 100 }, (_, index) => 103 - index)]);
});

test("a delivery whose event is no longer kept is shown with its attempts, and without a body", async () => {
  const error = "The event is no longer kept, so there is nothing to send.";
  const id = await insert("case.created", "failed", 1, [{ status: null, error }]);
  await pool().query("DELETE FROM events WHERE organization_id = $1 AND id = $2", [admin.context.organizationId, id]);
  const { status, body } = await admin.call("GET", `${path}/deliveries/${id}`);
  expect([status, body]).toMatchObject([
    200,
    { state: "failed", request: { url: ASKED.url, headers: { "webhook-id": id }, body: null } },
  ]);
  expect(body.attempts_log).toMatchObject([{ number: 1, error }]);
  expect(ids(await admin.call("GET", `${path}/deliveries?limit=1`))).toEqual([id]);
});

test("a test event goes to a webhook that is off as well, as an event like others", async () => {
  const { status, body } = await admin.call("POST", `${path}/test`);
  expect([status, Object.keys(body)]).toEqual([202, ["event_id"]]);
  const delivery = await admin.call("GET", `${path}/deliveries/${String(body.event_id)}`);
  expect(delivery.body).toMatchObject({
    event: "webhook.test",
    state: "pending",
    attempts: 0,
    last_attempt: null,
    attempts_log: [],
    request: {
      body: {
        id: body.event_id,
        type: "webhook.test",
        data: { object: { webhook_id: webhookId, message: expect.any(String) }, previous: null },
      },
    },
  });
  expect(ids(await admin.call("GET", `${path}/deliveries?event=webhook.test`))).toEqual([body.event_id]);
});

async function stored(id: string) {
  const all = await deliveriesOf({ organizationId: admin.context.organizationId, webhookId });
  return all.find(({ event_id }) => event_id === id);
}

describe("resending", () => {
  test("makes a delivery due once more with all its attempts before it, whatever became of it", async () => {
    await admin.call("PATCH", path, { active: true });
    for (const state of ["delivered", "failed", "pending"]) {
      const id = await insert("case.created", state, 5, [{ status: 500, error: "x" }]);
      await pool().query("UPDATE webhook_deliveries SET tries = 7 WHERE event_id = $1", [id]);
      const { status, body } = await admin.call("POST", `${path}/deliveries/${id}/resend`);
      expect([status, body]).toMatchObject([202, { event_id: id, state: "pending", attempts: 1 }]);
      expect(await stored(id)).toMatchObject({ state: "pending", tries: 0, attempts: 1 });
      expect((await stored(id))?.due_in).toBeLessThanOrEqual(0);
    }
  });

  test("is refused while the webhook is off, but for a test event", async () => {
    const id = await insert("case.created", "failed", 5);
    const test = await insert("webhook.test", "failed", 5);
    await admin.call("PATCH", path, { active: false });
    const refused = await admin.call("POST", `${path}/deliveries/${id}/resend`);
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      "illegal_state",
      expect.stringContaining("Switch it on"),
    ]);
    expect(await stored(id)).toMatchObject({ state: "failed" });
    expect((await admin.call("POST", `${path}/deliveries/${test}/resend`)).status).toBe(202);
  });

  test.each([newId(), "x", "00000000-0000-0000-0000-000000000000"])("there is no delivery of %s", async (id) => {
    for (const each of [`GET ${path}/deliveries/${id}`, `POST ${path}/deliveries/${id}/resend`]) {
      const [method = "", at = ""] = each.split(" ");
      expect((await admin.call(method, at)).status).toBe(404);
    }
  });
});
