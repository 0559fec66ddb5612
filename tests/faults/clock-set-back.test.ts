import { afterEach, expect, test, vi } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { countRequest } from "@/lib/http/api/rate-limit";
import { newId } from "@/lib/ids";
import { storePendingRequest } from "@/lib/oauth/authorization/pending-requests";
import { type EventsRequest, readEventsPage } from "@/lib/records/events/events-page";
import { findSession } from "@/lib/sessions/browser-sessions/session-store";
import { type Call, callerWith } from "@/tests/http/support/call-api";
import { isReplayed, keyedRequests } from "@/tests/http/support/idempotency-requests";
import { createAccessToken, createContext, createSession } from "@/tests/support/factories";
import { pool as owner } from "@/tests/support/owner";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";
import { deliveriesOf, drainOnce, hasten, openWebhook } from "@/tests/webhooks/support/own-webhook";

const HOUR_MS = 3_600_000;

/** This process's clock is set back by an hour, put right, and set forward by an hour. PostgreSQL's is always right. */
const OFFSETS = [-HOUR_MS, 0, HOUR_MS];

const { RATE_LIMIT_PER_MINUTE } = env;

afterEach(() => {
  vi.useRealTimers();
  Object.assign(env, { RATE_LIMIT_PER_MINUTE });
});

/** Sets the clock to this far from the right time; timers and `performance.now()` go on. */
function setClock(offsetMs: number): void {
  vi.useRealTimers();
  if (offsetMs !== 0) vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + offsetMs });
}

test("the ids of a process ascend, however its clock is set", () => {
  const ids = [0, ...OFFSETS, -HOUR_MS].flatMap((offset) => {
    setClock(offset);
    return Array.from({ length: 5000 }, newId);
  });
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

type Page = { data: { id: string }[]; next_cursor: string | null };

/** The ids of a list, page after page. */
async function listed(call: Call): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { body } = await call("GET", `/accounts?limit=2${cursor && `&cursor=${cursor}`}`);
    const page = body as unknown as Page;
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}

test("records that are written meanwhile are listed once each, in the order in which they were created", async () => {
  const { call, createWith } = await keyedRequests();
  const created: string[] = [];
  for (const offset of [0, ...OFFSETS]) {
    setClock(offset);
    for (const name of ["First", "Second", "Third"]) {
      const { status, body } = await createWith(newId(), name);
      expect(status).toBe(201);
      created.push(body.id);
    }
    const path = `/accounts/${created.at(-1)}`;
    const changed = await call("PATCH", path, { body: { name: "Changed" }, headers: { "if-match": '"1"' } });
    expect([changed.status, changed.body.version]).toEqual([200, 2]);
  }
  const found = await listed(call);
  expect([created, created.toReversed()]).toContainEqual(found);
});

test("who reads the feed by its cursor meanwhile misses no event and gets none twice", async () => {
  const { context, createWith } = await keyedRequests();
  const seen: string[] = [];
  const read = async () => {
    const cursor = seen.length > 0 ? { cursor: seen.at(-1) } : {};
    const request: EventsRequest = { limit: 2, order: "asc", ...cursor };
    const page = await inOrganization(context.organizationId, () => readEventsPage(context.organizationId, request));
    seen.push(...(JSON.parse(page.text) as Page).data.map(({ id }) => id));
    return seen.length;
  };
  let written = 0;
  for (const offset of [0, ...OFFSETS]) {
    setClock(offset);
    for (const name of ["First", "Second", "Third"]) await createWith(newId(), name);
    written += 3;
    await expect.poll(read).toBe(written);
  }
  const { rows } = await owner().query<{ id: string }>(
    "SELECT id FROM events WHERE organization_id = $1 ORDER BY tx, id",
    [context.organizationId],
  );
  expect(seen).toEqual(rows.map(({ id }) => id));
});

test("a valid access token stays valid, and a revoked or expired one stays refused", async () => {
  const context = await createContext();
  const tokens = { valid: "", revoked: "", expired: "" };
  for (const name of ["revoked", "expired", "valid"] as const) {
    tokens[name] = await createAccessToken(context);
    const change = { revoked: "revoked_at = now()", expired: "expires_at = now()", valid: "" }[name];
    if (change)
      await owner().query(`UPDATE oauth_tokens SET ${change} WHERE user_id = $1 AND revoked_at IS NULL`, [
        context.userId,
      ]);
  }
  for (const offset of OFFSETS) {
    setClock(offset);
    const statuses = await Promise.all(
      Object.values(tokens).map(async (token) => (await callerWith(token)("GET", "/accounts")).status),
    );
    expect(statuses).toEqual([200, 401, 401]);
  }
});

/** Rounded, since `expires_at` is kept in whole milliseconds, which may be half of one later than it was set to. */
const LEFT = "round(extract(epoch FROM expires_at - now()), 2)::float8 AS seconds";

test("a session lasts seven days whenever it begins, and ends none that is still alive", async () => {
  const context = await createContext();
  const short = await createSession(context);
  await owner().query("UPDATE sessions SET expires_at = now() + interval '30 minutes' WHERE id = $1", [short]);
  for (const offset of OFFSETS) {
    setClock(offset);
    const id = await createSession(context);
    const { rows } = await owner().query<{ seconds: number }>(`SELECT ${LEFT} FROM sessions WHERE id = $1`, [id]);
    expect(rows[0]?.seconds).toBeGreaterThan(7 * 86_400 - 60);
    expect(rows[0]?.seconds).toBeLessThanOrEqual(7 * 86_400);
    expect(await findSession(short, "192.0.2.1")).toMatchObject({ id: short });
  }
});

test("a person has ten minutes to allow an app", async () => {
  const context = await createContext();
  await createAccessToken(context);
  const { rows: clients } = await owner().query<{ id: string; organization_id: string }>(
    "SELECT id, organization_id FROM oauth_clients WHERE created_by_id = $1",
    [context.userId],
  );
  const asked = { redirectUri: "https://client.example/callback", scopes: [], codeChallenge: "x", resource: [] };
  const session = { id: await createSession(context), user_id: context.userId };
  for (const offset of OFFSETS) {
    setClock(offset);
    const id = await storePendingRequest({ client: clients[0], state: undefined, ...asked } as never, session);
    const { rows } = await owner().query<{ seconds: number }>(
      `SELECT ${LEFT} FROM oauth_authorizations WHERE id = $1`,
      [id],
    );
    expect(rows[0]?.seconds).toBeGreaterThan(540);
    expect(rows[0]?.seconds).toBeLessThanOrEqual(600);
  }
});

test.each(["memory", "postgres"] as const)("no client is locked out for more than a minute: %s", async (store) => {
  Object.assign(env, { RATE_LIMIT_PER_MINUTE: 2, RATE_LIMIT_STORE: store });
  const client = { clientId: newId(), userId: newId() };
  const counts = async () => {
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await countRequest(client));
    return answers.map(({ refusal }) => refusal?.retryAfter ?? 0);
  };
  for (const offset of [0, ...OFFSETS]) {
    setClock(offset);
    for (const wait of await counts()) expect(wait).toBeLessThanOrEqual(60);
  }
  Object.assign(env, { RATE_LIMIT_STORE: "memory" });
});

test("a repeated request is carried out once", async () => {
  const { createWith, rowsOf } = await keyedRequests();
  await createWith("key-1");
  for (const offset of OFFSETS) {
    setClock(offset);
    expect(isReplayed(await createWith("key-1"))).toBe(true);
  }
  expect(await rowsOf("accounts")).toHaveLength(1);
});

/** The seconds since an endpoint failed first and last, by the database's clock. */
async function failingFor(webhookId: string): Promise<{ first: number; last: number }> {
  const { rows } = await owner().query<{ first: number; last: number }>(
    `SELECT extract(epoch FROM now() - failing_since)::float8 AS first,
       extract(epoch FROM now() - last_failed_at)::float8 AS last FROM webhooks WHERE id = $1`,
    [webhookId],
  );
  return rows[0] ?? { first: Number.NaN, last: Number.NaN };
}

test("a failed delivery is retried by its schedule, each time with the time of that attempt", async () => {
  const context = await createContext();
  const call = callerWith(await createAccessToken(context));
  await using receiver = await WebhookReceiver.start((response) => void response.writeHead(500).end());
  const key = await openWebhook(context, { url: receiver.url });
  await call("POST", "/accounts", { body: { name: "Alpine Tools" } });
  for (const [index, offset] of OFFSETS.entries()) {
    setClock(offset);
    const sentAt = Date.now();
    await drainOnce(key);
    const [delivery] = await deliveriesOf(key);
    const wait = env.WEBHOOK_RETRY_SECONDS[index] ?? 0;
    expect(delivery).toMatchObject({ state: "pending", attempts: index + 1, tries: index + 1 });
    expect(delivery?.due_in).toBeGreaterThan(0.8 * wait - 2);
    expect(delivery?.due_in).toBeLessThanOrEqual(1.2 * wait);
    const timestamp = Number(receiver.received.at(-1)?.headers["webhook-timestamp"]);
    expect(Math.abs(timestamp * 1000 - sentAt)).toBeLessThan(10_000);
    // By this process's clock the endpoint would have failed for an hour, or would not fail for another.
    const { first, last } = await failingFor(key.webhookId);
    expect([first < HOUR_MS / 2000, last < HOUR_MS / 2000, first >= last, last > -1]).toEqual(Array(4).fill(true));
    await hasten(key);
  }
});
