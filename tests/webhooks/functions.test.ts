import { afterAll, beforeAll, expect, test } from "vitest";

import { enqueueOverdue, enqueueRetry } from "@/lib/webhooks/sending/enqueue-drain";
import { drainWebhook, retryWebhook } from "@/inngest/functions/drain-webhook";
import { startSweeper, SWEEPS } from "@/inngest/sweeper";
import { env } from "@/lib/env";
import { createOperation } from "@/lib/records/operations";
import { sendTest } from "@/lib/webhooks/deliveries/send-test";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { startEngine } from "@/tests/inngest/support/engine-under-test";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { accepts, type Behaviour, WebhookReceiver } from "@/tests/support/webhook-receiver";

import { attemptsAt, deliveriesOf, openWebhook } from "@/tests/webhooks/support/own-webhook";

const FUNCTIONS = [drainWebhook, retryWebhook];
const PATIENCE = { timeout: 60_000 };

let stop: () => Promise<void>;
beforeAll(async () => {
  env.WEBHOOK_RETRY_SECONDS = [1, 1, 1];
  stop = await startEngine(FUNCTIONS);
  // On a loaded machine a retry cannot always be enqueued in time; the sweeper alone enqueues that one.
  startSweeper(SWEEPS.filter(({ run }) => run === enqueueOverdue));
});
afterAll(() => stop());

async function connected(behaviour: Behaviour = accepts) {
  const context = await createContext();
  const receiver = await WebhookReceiver.start(behaviour);
  const key = await openWebhook(context, { url: receiver.url });
  const change = () => run(createOperation("accounts"), context, NEEDED.accounts);
  const states = async () => (await deliveriesOf(key)).map(({ state }) => state);
  return { context, receiver, key, change, states, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
}

/** The events by which retries of a webhook were asked for. */
async function retriesOf({ webhookId }: WebhookKey): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM job_events WHERE name = 'webhooks/retry.scheduled' AND id LIKE $1",
    [`${webhookId}:%`],
  );
  return rows.map(({ id }) => id.slice(webhookId.length + 1));
}

test("what fails is tried again when it is due, in one run for all that failed within a second", async () => {
  const seen = new Set<string>();
  await using world = await connected((response, _number, { id }) => {
    response.writeHead(seen.has(id) ? 204 : 500).end();
    seen.add(id);
  });
  for (let n = 0; n < 40; n += 1) await world.change();
  await expect.poll(world.states, PATIENCE).toEqual(Array(40).fill("delivered"));
  expect((await attemptsAt(world.key)).map(({ number, status }) => `${number}: ${status}`).toSorted()).toEqual([
    ...Array<string>(40).fill("1: 500"),
    ...Array<string>(40).fill("2: 204"),
  ]);
  const retries = await retriesOf(world.key);
  expect(retries.filter((at) => !at.endsWith(".000Z"))).toEqual([]);
  // Forty moments of failure lie within few seconds.
  expect(retries.length).toBeGreaterThan(0);
  expect(retries.length).toBeLessThan(40);
});

test("a delivery that fails every time ends as failed, with no request in between", async () => {
  await using world = await connected((response) => void response.writeHead(500).end());
  await world.change();
  await expect.poll(world.states, PATIENCE).toEqual(["failed"]);
  expect(await attemptsAt(world.key)).toHaveLength(4);
});

test.each([
  ["2030-01-01T00:00:00.001Z", "2030-01-01T00:00:01.000Z"],
  ["2030-01-01T00:00:01.000Z", "2030-01-01T00:00:01.000Z"],
  ["2030-01-01T00:00:59.999Z", "2030-01-01T00:01:00.000Z"],
])("a retry that is due at %s is asked for at %s: never before, and once", async (due, at) => {
  const { key, ...world } = await connected();
  await Promise.all(Array.from({ length: 5 }, () => enqueueRetry(key, new Date(due))));
  expect(await retriesOf(key)).toEqual([at]);
  await world[Symbol.asyncDispose]();
});

/** As a process leaves it that dies between commit and asking. */
async function forget({ webhookId }: WebhookKey): Promise<void> {
  const begun = `UPDATE webhook_deliveries SET state = 'pending', next_attempt_at = now() - interval '11 seconds'
      WHERE webhook_id = $1`;
  await pool().query(begun, [webhookId]);
  await pool().query("UPDATE webhooks SET drain_asked_at = now() WHERE id = $1", [webhookId]);
}

test("a sweep enqueues overdue deliveries, marked or not, and only test events of a webhook that is off", async () => {
  await using world = await connected();
  await using off = await connected();
  await world.change();
  await off.change();
  const { event_id } = await run(sendTest, off.context, { id: off.key.webhookId });
  await expect
    .poll(async () => [...(await world.states()), ...(await off.states())], PATIENCE)
    .toEqual(Array(3).fill("delivered"));
  await pool().query("UPDATE webhooks SET active = false WHERE id = $1", [off.key.webhookId]);
  for (const { key } of [world, off]) await forget(key);
  await enqueueOverdue();
  await expect.poll(() => [world.receiver.received.length, off.receiver.received.length], PATIENCE).toEqual([2, 3]);
  expect(off.receiver.received.at(-1)?.id).toBe(event_id);
});
