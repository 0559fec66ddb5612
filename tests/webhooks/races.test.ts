import { NEEDED } from "@/tests/support/factories";
import { expect, test } from "vitest";

import { createOperation } from "@/lib/records/operations";
import { claimDue } from "@/lib/webhooks/sending/claim-deliveries";
import { Dispatcher } from "@/lib/webhooks/sending/dispatcher";
import { drain } from "@/lib/webhooks/sending/drain";
import { recordAttempts } from "@/lib/webhooks/sending/record-attempts";
import { run } from "@/tests/records/support/write-operations";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";
import { accepts, type Behaviour, WebhookReceiver } from "@/tests/support/webhook-receiver";

import { clientOf } from "@/tests/webhooks/support/call-webhooks";
import { attemptsAt, deliveriesOf, drainOnce, webhookRow } from "@/tests/webhooks/support/own-webhook";

async function connected(behaviour: Behaviour = accepts) {
  const receiver = await WebhookReceiver.start(behaviour);
  const admin = await clientOf();
  const { body } = await admin.call("POST", "/webhooks", { url: receiver.url, events: ["*"] });
  const { organizationId } = admin.context;
  const change = () => run(createOperation("accounts"), admin.context, NEEDED.accounts);
  const key = { organizationId, webhookId: body.id };
  return {
    ...admin,
    receiver,
    key,
    path: `/webhooks/${body.id}`,
    change,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

const many = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

test("after a change of the URL during a drain, new requests go to the new one, and nothing is lost", async () => {
  await using second = await WebhookReceiver.start(accepts);
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  await using world = await connected((response) => {
    arrived.resolve();
    void held.promise.then(() => response.writeHead(204).end());
  });
  await world.change();
  const drained = drainOnce(world.key);
  await arrived.promise;
  const changed = await world.call("PATCH", world.path, { url: second.url });
  await world.change();
  held.resolve();
  await drained;
  await drainOnce(world.key);
  expect(changed.status).toBe(200);
  expect([world.receiver.received.length, second.received.length]).toEqual([1, 1]);
  expect((await deliveriesOf(world.key)).map(({ state }) => state)).toEqual(["delivered", "delivered"]);
});

test("a webhook can be deleted during writes, drains and recovery: no write fails, and it is gone", async () => {
  for (let round = 0; round < 5; round += 1) {
    await using world = await connected();
    const since = new Date(Date.now() - 60_000).toISOString();
    for (let count = 0; count < 3; count += 1) await world.change();
    const calls = [
      ...["test", "recover", "rotate_secret"].map((action) =>
        world.call("POST", `${world.path}/${action}`, action === "recover" ? { since } : {}),
      ),
      world.call("PATCH", world.path, { active: false }),
      world.call("DELETE", world.path),
    ];
    const drained = [drainOnce(world.key), drainOnce(world.key)];
    await many(8, () => world.change());
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    await Promise.all(drained);
    expect(statuses.filter((status) => ![200, 202, 404, 409].includes(status))).toEqual([]);
    expect(statuses.at(-1)).toBe(200);
    expect((await world.call("GET", world.path)).status).toBe(404);
    expect(await drainOnce(world.key)).toBeNull();
  }
});

test("deleting gets through while attempts are being recorded, and both end", async () => {
  await using world = await connected();
  await world.change();
  const holder = await pool().connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM webhook_deliveries WHERE organization_id = $1 FOR UPDATE", [
      world.key.organizationId,
    ]);
    expect((await world.call("DELETE", world.path)).status).toBe(200);
    const health = await holder.query("UPDATE webhooks SET last_failed_at = now() WHERE organization_id = $1", [
      world.key.organizationId,
    ]);
    expect(health.rowCount).toBe(0);
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
});

test("recovering and resending while everything is being drained: each arrives, none fails, none hangs", async () => {
  await using world = await connected(
    (response, number) => void response.writeHead(number % 3 === 0 ? 500 : 204).end(),
  );
  await many(30, () => world.change());
  const events = (await deliveriesOf(world.key)).map(({ event_id }) => event_id);
  const since = new Date(Date.now() - 60_000).toISOString();
  const recover = () => world.call("POST", `${world.path}/recover`, { since });
  const resend = (index: number) =>
    world.call("POST", `${world.path}/deliveries/${events[index % events.length]}/resend`);
  const work = [drainOnce(world.key), drainOnce(world.key)];
  const answers = [...(await many(5, recover)), ...(await many(20, resend))];
  await Promise.all(work);
  expect(answers.map(({ status }) => status).filter((status) => status !== 202)).toEqual([]);
  world.receiver.behaviour = accepts;
  await recover();
  await drainOnce(world.key);
  expect(new Set(world.receiver.received.map(({ id }) => id))).toEqual(new Set(events));
  expect((await deliveriesOf(world.key)).filter(({ state }) => state !== "delivered")).toEqual([]);
});

test("an attempt that ends while its delivery is being resent is recorded all the same", async () => {
  await using world = await connected();
  await world.change();
  const eventId = (await deliveriesOf(world.key))[0]?.event_id ?? "";
  const attempt = {
    startedAt: performance.now(),
    latencyMs: 1,
    status: 204,
    error: null,
    headers: {},
    body: "",
    retryAfterMs: 0,
  };
  const resending = await pool().connect();
  try {
    await resending.query("BEGIN");
    await resending.query("UPDATE webhook_deliveries SET tries = 0, next_attempt_at = now() WHERE event_id = $1", [
      eventId,
    ]);
    const recorded = recordAttempts(world.key, [
      { eventId, url: world.receiver.url, tries: 0, leasedUntil: new Date(0), attempt },
    ]);
    await untilLockWaits(1);
    await resending.query("COMMIT");
    await recorded;
  } finally {
    resending.release();
  }
  expect(await deliveriesOf(world.key)).toMatchObject([{ state: "delivered", attempts: 1 }]);
  expect(await attemptsAt(world.key)).toMatchObject([{ number: 1, status: 204 }]);
});

/** An endpoint that answers its first request when it is told to, and `then` what comes afterwards. */
function held(first: number, then: Behaviour) {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const behaviour: Behaviour = (response, number, received) => {
    if (number > 0) return then(response, number, received);
    arrived.resolve();
    void released.promise.then(() => response.writeHead(first).end());
  };
  return { behaviour, arrived: arrived.promise, release: () => released.resolve() };
}

/** What a process may claim that has nothing in flight. */
const OF_ANOTHER_PROCESS = { inFlight: [], limit: 10, maxBytes: 1_000_000 };

test.each([
  ["the first attempt of all", "fails", 0, 500],
  ["the last attempt of a round", "fails", 7, 500],
  ["an attempt", "succeeds", 0, 204],
])(
  "a delivery that is resent while %s is under way is sent once more, though that one %s",
  async (_which, _outcome, tries, status) => {
    const endpoint = held(status, accepts);
    await using world = await connected(endpoint.behaviour);
    await world.change();
    await pool().query("UPDATE webhook_deliveries SET tries = $2, attempts = $2 WHERE webhook_id = $1", [
      world.key.webhookId,
      tries,
    ]);
    const [delivery] = await deliveriesOf(world.key);
    await drain(world.key);
    await endpoint.arrived;
    expect((await world.call("POST", `${world.path}/deliveries/${delivery?.event_id}/resend`)).status).toBe(202);
    // It waits for the attempt under way, in every process.
    expect(await drain(world.key)).toMatchObject({ inFlight: 1 });
    expect((await claimDue(world.key, OF_ANOTHER_PROCESS)).deliveries).toEqual([]);
    expect(await attemptsAt(world.key)).toEqual([]);
    endpoint.release();
    await Dispatcher.settled(world.key);
    expect(await deliveriesOf(world.key)).toMatchObject([{ state: "delivered", attempts: tries + 2, tries: 1 }]);
    expect((await attemptsAt(world.key)).map((attempt) => attempt.status)).toEqual([status, 204]);
  },
);

test("what is recovered while it is under way is sent by no other process meanwhile, and then once more", async () => {
  const endpoint = held(500, accepts);
  await using world = await connected(endpoint.behaviour);
  await world.change();
  await pool().query("UPDATE webhook_deliveries SET tries = 3, attempts = 3 WHERE webhook_id = $1", [
    world.key.webhookId,
  ]);
  await drain(world.key);
  await endpoint.arrived;
  const since = new Date(Date.now() - 60_000).toISOString();
  for (const _twice of [1, 2])
    expect((await world.call("POST", `${world.path}/recover`, { since })).body).toEqual({ queued: 1 });
  expect((await claimDue(world.key, OF_ANOTHER_PROCESS)).deliveries).toEqual([]);
  endpoint.release();
  await Dispatcher.settled(world.key);
  expect(await deliveriesOf(world.key)).toMatchObject([{ state: "delivered", attempts: 5, tries: 1 }]);
});

test("a failure that comes to be known after a success does not undo it", async () => {
  await using world = await connected();
  await world.change();
  const [delivery] = await deliveriesOf(world.key);
  await drainOnce(world.key);
  const attempt = {
    startedAt: performance.now(),
    latencyMs: 1,
    status: 500,
    error: "It failed.",
    headers: {},
    body: "",
    retryAfterMs: 0,
  };
  await recordAttempts(world.key, [
    { eventId: delivery?.event_id ?? "", url: world.receiver.url, tries: 0, leasedUntil: new Date(0), attempt },
  ]);
  expect(await deliveriesOf(world.key)).toMatchObject([{ state: "delivered", attempts: 2, tries: 1, due_in: null }]);
});

test("a delivery that is purged while its attempt is being recorded is not written again", async () => {
  await using world = await connected();
  await world.change();
  const [delivery] = await deliveriesOf(world.key);
  const attempt = {
    startedAt: performance.now(),
    latencyMs: 1,
    status: 204,
    error: null,
    headers: {},
    body: "",
    retryAfterMs: 0,
  };
  const forgetting = await pool().connect();
  try {
    await forgetting.query("BEGIN");
    await forgetting.query("DELETE FROM webhook_deliveries WHERE webhook_id = $1", [world.key.webhookId]);
    const recorded = recordAttempts(world.key, [
      { eventId: delivery?.event_id ?? "", url: world.receiver.url, tries: 0, leasedUntil: new Date(0), attempt },
    ]);
    await untilLockWaits(1);
    await forgetting.query("COMMIT");
    await recorded;
  } finally {
    forgetting.release();
  }
  expect([await deliveriesOf(world.key), await attemptsAt(world.key)]).toEqual([[], []]);
});

test.each([410, 500])(
  "what the old address answers after it was changed, %i say, is not held against the new one",
  async (status) => {
    const endpoint = held(status, accepts);
    await using world = await connected(endpoint.behaviour);
    await world.change();
    const drained = drainOnce(world.key);
    await endpoint.arrived;
    expect((await world.call("PATCH", world.path, { url: "https://example.com/new" })).status).toBe(200);
    endpoint.release();
    await drained;
    await expect.poll(() => attemptsAt(world.key), { timeout: 10_000 }).toMatchObject([{ status }]);
    expect(await webhookRow(world.key)).toMatchObject({ active: true, failing_since: null, last_failed_at: null });
  },
);
