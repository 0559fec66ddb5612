import { expect, test } from "vitest";

import { createOperation } from "@/lib/records/operations";
import { Dispatcher } from "@/lib/webhooks/sending/dispatcher";
import { drain } from "@/lib/webhooks/sending/drain";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { accepts, type Behaviour, WebhookReceiver } from "@/tests/support/webhook-receiver";

import { deliveriesOf, drainOnce, hasten, openWebhook, webhookRow } from "@/tests/webhooks/support/own-webhook";

async function connected(behaviour: Behaviour = accepts) {
  const context = await createContext();
  const receiver = await WebhookReceiver.start(behaviour);
  const key = await openWebhook(context, { url: receiver.url });
  const change = () => run(createOperation("accounts"), context, NEEDED.accounts);
  return { receiver, key, change, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
}

test("if due deliveries cannot be claimed after an answer, another drain is enqueued", async () => {
  const silent: (() => void)[] = [];
  await using world = await connected((response) => void silent.push(() => response.writeHead(204).end()));
  await world.change();
  await drain(world.key);
  await expect.poll(() => silent.length, { timeout: 10_000 }).toBe(1);
  await pool().query("ALTER TABLE webhooks RENAME previous_secret TO renamed");
  try {
    await expect(drain(world.key)).rejects.toThrow(/previous_secret/);
    for (const answer of silent) answer();
    await Dispatcher.settled(world.key);
  } finally {
    await pool().query("ALTER TABLE webhooks RENAME renamed TO previous_secret");
  }
  expect((await webhookRow(world.key)).drain_asked_at).not.toBeNull();
  expect(await deliveriesOf(world.key)).toMatchObject([{ state: "delivered" }]);
});

test("a drain that cannot claim due deliveries fails and enqueues none: the engine retries it", async () => {
  await using world = await connected();
  await world.change();
  await pool().query("ALTER TABLE webhooks RENAME previous_secret TO renamed");
  try {
    await expect(drain(world.key)).rejects.toThrow(/previous_secret/);
    await Dispatcher.settled(world.key);
  } finally {
    await pool().query("ALTER TABLE webhooks RENAME renamed TO previous_secret");
  }
  expect((await webhookRow(world.key)).drain_asked_at).toBeNull();
  await drainOnce(world.key);
  expect(await deliveriesOf(world.key)).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

test("what cannot be recorded is sent again only when its lease is over, and is delivered once it can", async () => {
  await using world = await connected();
  await pool().query("ALTER TABLE webhook_attempts ADD CONSTRAINT full_disk CHECK (latency_ms < 0) NOT VALID");
  try {
    await world.change();
    const nextDue = await drainOnce(world.key);
    expect(world.receiver.received).toHaveLength(1);
    expect(nextDue?.getTime()).toBeGreaterThan(Date.now() + 5000);
  } finally {
    await pool().query("ALTER TABLE webhook_attempts DROP CONSTRAINT full_disk");
  }
  await hasten(world.key);
  await drainOnce(world.key);
  expect(await deliveriesOf(world.key)).toMatchObject([{ state: "delivered", attempts: 1 }]);
  expect(world.receiver.received).toHaveLength(2);
});
