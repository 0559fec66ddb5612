import { expect, test } from "vitest";

import { createOperation } from "@/lib/records/operations";
import { sendTest } from "@/lib/webhooks/deliveries/send-test";
import { updateWebhook } from "@/lib/webhooks/endpoints/update-webhook";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { accepts, type Behaviour, WebhookReceiver } from "@/tests/support/webhook-receiver";

import { attemptsAt, deliveriesOf, drainOnce, hasten, openWebhook } from "@/tests/webhooks/support/own-webhook";

async function connected(behaviour: Behaviour = accepts) {
  const context = await createContext();
  const receiver = await WebhookReceiver.start(behaviour);
  const key = await openWebhook(context, { url: receiver.url });
  const change = () => run(createOperation("accounts"), context, NEEDED.accounts);
  return { context, receiver, key, change, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
}

test("a delivery whose event is no longer kept has failed, says so, and holds up no other", async () => {
  await using world = await connected();
  for (let n = 0; n < 70; n += 1) await world.change();
  const deliveries = await deliveriesOf(world.key);
  const lost = deliveries.slice(0, 68).map(({ event_id }) => event_id);
  await pool().query("DELETE FROM events WHERE organization_id = $1 AND id = ANY ($2)", [
    world.context.organizationId,
    lost,
  ]);
  expect(await drainOnce(world.key)).toBeNull();
  expect(world.receiver.received.map(({ id }) => id).toSorted()).toEqual(
    deliveries.slice(68).map(({ event_id }) => event_id),
  );
  const states = (await deliveriesOf(world.key)).map(({ state, attempts }) => [state, attempts]);
  expect(states).toEqual([...lost.map(() => ["failed", 1]), ["delivered", 1], ["delivered", 1]]);
  expect((await attemptsAt(world.key))[0]).toMatchObject({
    number: 1,
    status: null,
    error: expect.stringContaining("no longer kept"),
  });
});

test("a test event that fails while the webhook is off is tried again, and nothing else is", async () => {
  await using world = await connected((response) => void response.writeHead(500).end());
  await world.change();
  const { webhookId: id } = world.key;
  await run(updateWebhook, world.context, { id, active: false });
  expect(await drainOnce(world.key)).toBeNull();
  const { event_id } = await run(sendTest, world.context, { id });
  const nextDue = await drainOnce(world.key);
  const deliveries = await deliveriesOf(world.key);
  const tested = deliveries.find((delivery) => delivery.event_id === event_id);
  expect(tested).toMatchObject({ type: "webhook.test", state: "pending", attempts: 1 });
  expect(Math.abs((nextDue?.getTime() ?? 0) - Date.now() - 1000 * (tested?.due_in ?? 0))).toBeLessThan(1000);
  await hasten(world.key);
  await drainOnce(world.key);
  expect(world.receiver.received.map((each) => each.id)).toEqual([event_id, event_id]);
});
