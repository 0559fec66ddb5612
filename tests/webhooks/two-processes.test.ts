import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

import { afterEach, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { createOperation } from "@/lib/records/operations";
import { run } from "@/tests/records/support/write-operations";
import { compiledProgram } from "@/tests/support/compiled-programs";
import { createContext, NEEDED } from "@/tests/support/factories";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";

import { attemptsAt, deliveriesOf, openWebhook } from "@/tests/webhooks/support/own-webhook";

const CHANGES = 600;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A process that is ready to drain. */
async function startDraining(): Promise<ChildProcess> {
  const child = fork(compiledProgram("draining-process"));
  children.push(child);
  await once(child, "message");
  return child;
}

async function change(context: Context, times: number): Promise<void> {
  const lanes = Array.from({ length: 6 }, async () => {
    for (let n = 0; n < times / 6; n += 1) await run(createOperation("accounts"), context, NEEDED.accounts);
  });
  await Promise.all(lanes);
}

test("two processes that drain one webhook share its deliveries: nothing is sent twice or left", async () => {
  await using receiver = await WebhookReceiver.start(
    (response) => void setTimeout(() => response.writeHead(204).end(), 5),
  );
  const context = await createContext();
  const key = await openWebhook(context, { url: receiver.url });
  await change(context, CHANGES);
  const processes = await Promise.all([startDraining(), startDraining()]);
  const begun = processes.map((child) => once(child, "message").then(([inFlight]) => inFlight as number));
  const ended = processes.map((child) => once(child, "exit"));
  for (const child of processes) child.send({ organizationId: key.organizationId, webhookId: key.webhookId });
  expect(Math.min(...(await Promise.all(begun)))).toBeGreaterThan(0);
  expect((await Promise.all(ended)).map(([code]) => code as number)).toEqual([0, 0]);
  const deliveries = await deliveriesOf(key);
  expect(deliveries).toHaveLength(CHANGES);
  expect(deliveries.filter(({ state, attempts }) => state !== "delivered" || attempts !== 1)).toEqual([]);
  expect(receiver.received.map(({ id }) => id).toSorted()).toEqual(deliveries.map(({ event_id }) => event_id));
  expect(await attemptsAt(key)).toHaveLength(CHANGES);
});
