import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";

import { inWork, registerTracer } from "@/lib/observability/instruments";
import { createOperation, deleteOperation, updateOperation } from "@/lib/records/operations";
import { sendTest } from "@/lib/webhooks/deliveries/send-test";
import { rotateSecret } from "@/lib/webhooks/endpoints/rotate-secret";
import { updateWebhook } from "@/lib/webhooks/endpoints/update-webhook";
import { Dispatcher } from "@/lib/webhooks/sending/dispatcher";
import { drain } from "@/lib/webhooks/sending/drain";
import { feed, settled } from "@/tests/records/support/read-events";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { startDeadHost } from "@/tests/support/hosts";
import { pool } from "@/tests/support/owner";
import { accepts, type Behaviour, WebhookReceiver } from "@/tests/support/webhook-receiver";

import {
  attemptsAt,
  deliveriesOf,
  drainOnce,
  hasten,
  openWebhook,
  webhookRow,
} from "@/tests/webhooks/support/own-webhook";

/** A webhook for everything, and a receiver that answers as given. */
async function connected(behaviour: Behaviour = accepts, input: object = {}) {
  const context = await createContext();
  const receiver = await WebhookReceiver.start(behaviour);
  const key = await openWebhook(context, { url: receiver.url, generate_secret: true, ...input });
  const change = () => run(createOperation("accounts"), context, NEEDED.accounts);
  return { context, receiver, key, change, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
}

const answers =
  (status: number, headers: Record<string, string> = {}, body = ""): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end(body);

describe("what is sent", () => {
  test("is the event as the feed has it, signed, with only the fields that changed as they were", async () => {
    await using world = await connected();
    const { context, receiver, key } = world;
    const { id } = await world.change();
    await run(updateOperation("accounts"), context, { id, name: "Alpine Tools AG" });
    await run(deleteOperation("accounts"), context, { id });
    await drainOnce(key);
    await settled();
    const { data } = await feed(context, { order: "asc" });
    const sent = receiver.received.toSorted((a, b) => a.id.localeCompare(b.id));
    expect(sent.map(({ body }) => JSON.parse(body) as object)).toEqual(data);
    expect(data.map(({ type, data: { previous } }) => [type, previous && Object.keys(previous).toSorted()])).toEqual([
      ["account.created", null],
      ["account.updated", ["name"]],
      ["account.deleted", null],
    ]);
    for (const { headers, body, id: sentId } of sent) {
      expect(new Webhook(key.secret).verify(body, headers as Record<string, string>)).toMatchObject({ id: sentId });
      expect(headers["content-type"]).toBe("application/json");
    }
  });

  test("goes to those alone that subscribe, and costs no row where nobody does", async () => {
    await using world = await connected(accepts, { events: ["case.*", "account.deleted"] });
    await world.change();
    await run(createOperation("products"), world.context, NEEDED.products);
    expect(await deliveriesOf(world.key)).toEqual([]);
    await run(createOperation("cases"), world.context, NEEDED.cases);
    expect(await deliveriesOf(world.key)).toMatchObject([{ type: "case.created", state: "pending" }]);
  });

  test("is nothing when the change does not stand", async () => {
    await using world = await connected();
    await expect(
      run(createOperation("contacts"), world.context, { last_name: "X", account_id: world.context.userId }),
    ).rejects.toThrow(/do not exist/);
    expect(await deliveriesOf(world.key)).toEqual([]);
  });

  test("has no signature without a secret, and two while a secret is being rotated", async () => {
    await using world = await connected(accepts, { generate_secret: false });
    await world.change();
    await drainOnce(world.key);
    expect(world.receiver.received[0]?.headers["webhook-signature"]).toBeUndefined();
    const secrets: string[] = [];
    for (let round = 0; round < 2; round += 1)
      secrets.push(String((await run(rotateSecret, world.context, { id: world.key.webhookId })).secret));
    await world.change();
    await drainOnce(world.key);
    const { headers = {}, body = "" } = world.receiver.received[1] ?? {};
    for (const secret of secrets)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        type: "account.created",
      });
    await pool().query("UPDATE webhooks SET previous_secret_expires_at = now() WHERE id = $1", [world.key.webhookId]);
    await world.change();
    await drainOnce(world.key);
    const later = world.receiver.received[2];
    expect(() =>
      new Webhook(secrets[0] ?? "").verify(later?.body ?? "", later?.headers as Record<string, string>),
    ).toThrow(/signature/);
  });

  test("is a test event alone while the webhook is off, and what waits once it is on again", async () => {
    await using world = await connected();
    await world.change();
    const { webhookId: id } = world.key;
    await run(updateWebhook, world.context, { id, active: false });
    await world.change();
    await run(sendTest, world.context, { id });
    await drainOnce(world.key);
    expect(world.receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      "webhook.test",
    ]);
    await run(updateWebhook, world.context, { id, active: true });
    await drainOnce(world.key);
    expect(world.receiver.received).toHaveLength(2);
  });
});

describe("an attempt", () => {
  test("that succeeds is recorded with what the endpoint said, its first 4 KB", async () => {
    await using world = await connected(answers(201, { "x-trace": "7" }, `\0${"é".repeat(4000)}`));
    await world.change();
    expect(await drainOnce(world.key)).toBeNull();
    expect(await deliveriesOf(world.key)).toMatchObject([{ state: "delivered", attempts: 1, due_in: null }]);
    const [attempt] = await attemptsAt(world.key);
    expect(attempt).toMatchObject({ number: 1, status: 201, error: null, response_headers: { "x-trace": "7" } });
    expect(attempt?.response_body).toMatch(/^�é+�$/);
    expect(Buffer.byteLength(attempt?.response_body?.slice(1, -1) ?? "")).toBe(4094);
  });

  test.each([
    ["500", answers(500), /answered 500/],
    ["404", answers(404), /answered 404/],
    ["a redirect", answers(302, { location: "http://127.0.0.1:1/" }), /Redirects are not followed/],
    ["a connection that is closed", (response) => void response.destroy(), /closed the connection/],
  ] satisfies [string, Behaviour, RegExp][])(
    "that ends with %s is tried again in some five seconds",
    async (_what, behaviour, sentence) => {
      await using world = await connected(behaviour);
      await world.change();
      const nextDue = await drainOnce(world.key);
      const [delivery] = await deliveriesOf(world.key);
      expect(delivery).toMatchObject({ state: "pending", attempts: 1, tries: 1 });
      expect(delivery?.due_in).toBeGreaterThan(0);
      expect(delivery?.due_in).toBeLessThan(6);
      expect(nextDue).not.toBeNull();
      expect((await attemptsAt(world.key))[0]?.error).toMatch(sentence);
      expect(world.receiver.received).toHaveLength(1);
    },
  );

  test("at a host where nobody listens says so", async () => {
    await using world = await connected(accepts, { url: await startDeadHost() });
    await world.change();
    await drainOnce(world.key);
    expect(await attemptsAt(world.key)).toMatchObject([
      { status: null, error: "The endpoint refused the connection." },
    ]);
  });

  test("that is given 2xx succeeded, however the answer's body ends", async () => {
    await using world = await connected((response) => {
      response.writeHead(200, { "content-length": "100" }).write("half");
      setTimeout(() => response.destroy(), 20);
    });
    await world.change();
    await drainOnce(world.key);
    expect(await attemptsAt(world.key)).toMatchObject([{ status: 200, error: null, response_body: "half" }]);
  });

  test("is tried eight times under one id, and then it failed", async () => {
    await using world = await connected(answers(500));
    await world.change();
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await drainOnce(world.key);
      await hasten(world.key);
    }
    expect(await deliveriesOf(world.key)).toMatchObject([{ state: "failed", attempts: 8, due_in: null }]);
    expect(new Set(world.receiver.received.map(({ id }) => id)).size).toBe(1);
    expect((await attemptsAt(world.key)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test.each([
    [429, 3600],
    [503, 3600],
    [500, 5],
  ])("that ends with %i and Retry-After: 3600 waits about %i seconds", async (status, seconds) => {
    await using world = await connected(answers(status, { "retry-after": "3600" }));
    await world.change();
    await drainOnce(world.key);
    const [delivery] = await deliveriesOf(world.key);
    expect(delivery?.due_in).toBeGreaterThan(seconds * 0.7 - 1);
    expect(delivery?.due_in).toBeLessThan(seconds * 1.2 + 1);
  });
});

describe("an endpoint", () => {
  test("that says it is gone is switched off, and the audit log says so", async () => {
    await using world = await connected(answers(410));
    await world.change();
    await drainOnce(world.key);
    expect(await deliveriesOf(world.key)).toMatchObject([{ state: "failed", due_in: null }]);
    expect(await webhookRow(world.key)).toMatchObject({
      active: false,
      disabled_reason: "gone",
      disabled_at: expect.any(Date),
    });
    const { rows } = await pool().query(
      "SELECT action, details FROM audit_events WHERE organization_id = $1 AND action = 'webhook.disabled'",
      [world.context.organizationId],
    );
    expect(rows).toMatchObject([{ details: { webhook_id: world.key.webhookId, reason: "gone" } }]);
  });

  test("that keeps silent is not waited for, and what comes of it is recorded all the same", async () => {
    const silent: (() => void)[] = [];
    await using world = await connected((response) => void silent.push(() => response.writeHead(204).end()));
    for (let n = 0; n < 3; n += 1) await world.change();
    // It ends although nothing is answered.
    expect(await drain(world.key)).toEqual({ inFlight: 3, nextDue: null });
    // Nobody else sends them meanwhile: they are due again only when this attempt must have ended.
    for (const { due_in } of await deliveriesOf(world.key)) expect(due_in).toBeGreaterThan(5);
    expect(await drain(world.key)).toEqual({ inFlight: 3, nextDue: null });
    await expect.poll(() => silent.length, { timeout: 10_000 }).toBe(3);
    for (const answer of silent) answer();
    await Dispatcher.settled(world.key);
    expect((await deliveriesOf(world.key)).map(({ state }) => state)).toEqual(Array(3).fill("delivered"));
    expect(world.receiver.received).toHaveLength(3);
  });

  test("that never answers is given up after fifteen seconds", async () => {
    await using world = await connected(() => undefined);
    await world.change();
    await drainOnce(world.key);
    const [attempt] = await attemptsAt(world.key);
    expect(attempt?.error).toBe("The endpoint did not answer within 15 seconds.");
    expect(attempt?.latency_ms).toBeGreaterThan(14_000);
  });

  test("that hangs now and then is sent everything else at once", async () => {
    await using world = await connected((response, number) =>
      number % 10 === 0 ? undefined : void response.writeHead(204).end(),
    );
    for (let n = 0; n < 40; n += 1) await world.change();
    await drain(world.key);
    const tallied = async () =>
      Object.groupBy(await deliveriesOf(world.key), ({ state, attempts }) => `${state} after ${attempts}`);
    await expect.poll(async () => (await tallied())["delivered after 1"]?.length, { timeout: 10_000 }).toBe(36);
    expect((await tallied())["pending after 0"]).toHaveLength(4);
  });
});

test("what a drain starts belongs to its job, and what the dispatcher sends later to none", async () => {
  const waiting: (() => void)[] = [];
  let isReleased = false;
  await using world = await connected((response) => {
    const answer = () => void response.writeHead(204).end();
    if (isReleased) answer();
    else waiting.push(answer);
  });
  for (let n = 0; n < 70; n += 1) await world.change();
  const parents: string[] = [];
  registerTracer({
    start: (_name, _kind, parent) => {
      parents.push(parent ?? "none");
      return { traceparent: "", end: () => undefined };
    },
    close: async () => undefined,
  });
  const { inFlight } = await inWork({ run_id: "run", traceparent: "of the job" }, () => drain(world.key));
  expect(inFlight).toBe(64);
  await expect.poll(() => waiting.length).toBe(64);
  isReleased = true;
  for (const answer of waiting) answer();
  await Dispatcher.settled(world.key);
  expect(parents).toEqual([...Array<string>(64).fill("of the job"), ...Array<string>(6).fill("none")]);
});
