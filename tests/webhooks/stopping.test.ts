import { setTimeout as delay } from "node:timers/promises";

import { expect, test } from "vitest";

import { drainWebhook } from "@/inngest/functions/drain-webhook";
import { startWorker } from "@/inngest/worker";
import { createOperation } from "@/lib/records/operations";
import { shutDown } from "@/lib/shutdown";
import { Dispatcher } from "@/lib/webhooks/sending/dispatcher";
import { drain } from "@/lib/webhooks/sending/drain";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";

import { attemptsAt, deliveriesOf, openWebhook, webhookRow } from "@/tests/webhooks/support/own-webhook";

/** A worker, and an endpoint of its webhook that answers when it is released. */
async function atWork(changes: number) {
  const answers: (() => void)[] = [];
  const receiver = await WebhookReceiver.start((response) => void answers.push(() => response.writeHead(204).end()));
  const context = await createContext();
  const key = await openWebhook(context, { url: receiver.url, active: false });
  await pool().query("UPDATE webhooks SET active = true, drain_asked_at = now() WHERE id = $1", [key.webhookId]);
  for (let n = 1; n < changes; n += 1) await run(createOperation("accounts"), context, NEEDED.accounts);
  await pool().query("UPDATE webhooks SET drain_asked_at = NULL WHERE id = $1", [key.webhookId]);
  const worker = await startWorker({ functions: [drainWebhook], lookInterval: 100 });
  await run(createOperation("accounts"), context, NEEDED.accounts);
  const expected = Math.min(changes, 64);
  await expect.poll(() => answers.length, { timeout: 60_000 }).toBe(expected);
  const release = () => {
    for (const answer of answers.splice(0)) answer();
  };
  return { key, receiver, worker, release, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
}

test("a stopped worker records what was sent, starts nothing more, and enqueues a drain for the rest", async () => {
  await using world = await atWork(100);
  const stopped = world.worker.stop(60_000);
  // By then nothing but the requests keeps it.
  expect(await Promise.race([stopped, delay(2000, "waits")])).toBe("waits");
  world.release();
  expect(await stopped).toBe(true);
  expect(await attemptsAt(world.key)).toHaveLength(64);
  expect(world.receiver.received).toHaveLength(64);
  expect((await deliveriesOf(world.key)).filter(({ state }) => state === "pending")).toHaveLength(36);
  expect((await webhookRow(world.key)).drain_asked_at).not.toBeNull();

  world.receiver.behaviour = (response) => void response.writeHead(204).end();
  const next = await startWorker({ functions: [drainWebhook], lookInterval: 100 });
  await expect
    .poll(async () => (await deliveriesOf(world.key)).every(({ state }) => state === "delivered"), { timeout: 60_000 })
    .toBe(true);
  expect(world.receiver.received).toHaveLength(100);
  await next.stop();
});

test("a worker does not wait for ever for an endpoint, and says that it has left something", async () => {
  await using world = await atWork(1);
  expect(await world.worker.stop(1000)).toBe(false);
  expect(await deliveriesOf(world.key)).toMatchObject([{ state: "pending", attempts: 0 }]);
  world.release();
  await Dispatcher.settled(world.key);
  expect(await deliveriesOf(world.key)).toMatchObject([{ state: "delivered" }]);
});

test("a process that shuts down records what is in flight, and starts no delivery for jobs that go on", async () => {
  await using world = await atWork(100);
  const work = Promise.withResolvers<void>();
  let hasEnded = false;
  const ended = shutDown(work.promise).then(() => (hasEnded = true));
  world.release();
  await expect.poll(async () => (await attemptsAt(world.key)).length, { timeout: 60_000 }).toBe(64);
  await drain(world.key);
  expect(hasEnded).toBe(false);
  work.resolve();
  await ended;
  expect(world.receiver.received).toHaveLength(64);
  world.receiver.behaviour = (response) => void response.writeHead(204).end();
  await drain(world.key);
  await Dispatcher.settled(world.key);
  expect(world.receiver.received).toHaveLength(100);
  await world.worker.stop();
});
