import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";

import { createOperation } from "@/lib/records/operations";
import { purgeSecrets, rotateSecret } from "@/lib/webhooks/endpoints/rotate-secret";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";

import { attemptsAt, deliveriesOf, drainOnce, openWebhook, webhookRow } from "@/tests/webhooks/support/own-webhook";

async function connected() {
  const receiver = await WebhookReceiver.start();
  const context = await createContext();
  const key = await openWebhook(context, { url: receiver.url, generate_secret: true });
  const change = () => run(createOperation("accounts"), context, NEEDED.accounts);
  const rotate = async () => String((await run(rotateSecret, context, { id: key.webhookId })).secret);
  const set = (assignment: string) => pool().query(`UPDATE webhooks SET ${assignment} WHERE id = $1`, [key.webhookId]);
  return { receiver, key, change, rotate, set, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
}

/** What somebody has after another APP_SECRET was set. */
const UNREADABLE = "decode(repeat('00', 60), 'hex')";

test("an unreadable secret is a failed attempt that says so; nothing is sent unsigned meanwhile", async () => {
  await using world = await connected();
  await world.set(`secret = ${UNREADABLE}`);
  await world.change();
  await drainOnce(world.key);
  const error =
    "The secret can no longer be read. Rotate it, or ask whoever runs this service to restore its earlier APP_SECRET.";
  await expect.poll(() => attemptsAt(world.key)).toMatchObject([{ status: null, error }]);
  expect(await deliveriesOf(world.key)).toMatchObject([{ state: "pending", attempts: 1 }]);
  expect(world.receiver.received).toEqual([]);
  const secret = await world.rotate();
  await world.change();
  await drainOnce(world.key);
  await expect.poll(() => world.receiver.received).toHaveLength(1);
  const [{ body, headers }] = world.receiver.received as [WebhookReceiver["received"][number]];
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: "account.created",
  });
});

test("a rotated secret is deleted once it no longer signs, and not before", async () => {
  await using world = await connected();
  await world.rotate();
  const kept = async () => (await webhookRow(world.key)).previous_secret;
  await purgeSecrets();
  expect(await kept()).toBeInstanceOf(Buffer);
  await world.set("previous_secret_expires_at = now() - interval '1 second'");
  await purgeSecrets();
  expect(await webhookRow(world.key)).toMatchObject({
    previous_secret: null,
    previous_secret_expires_at: null,
    secret: expect.any(Buffer),
    version: 2,
  });
});
