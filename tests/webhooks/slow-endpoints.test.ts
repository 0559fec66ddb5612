import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { drainWebhook, retryWebhook } from "@/inngest/functions/drain-webhook";
import { startSweeper, SWEEPS } from "@/inngest/sweeper";
import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import { createOperation } from "@/lib/records/operations";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { drain } from "@/lib/webhooks/sending/drain";
import { enqueueOverdue } from "@/lib/webhooks/sending/enqueue-drain";
import { TIMEOUT_MS } from "@/lib/webhooks/sending/send";
import { startEngine } from "@/tests/inngest/support/engine-under-test";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { accepts, WebhookReceiver } from "@/tests/support/webhook-receiver";

import { openWebhook } from "@/tests/webhooks/support/own-webhook";

/** Long enough for any machine. What is promised comes within seconds. */
const PATIENCE_MS = 600_000;
vi.setConfig({ testTimeout: 2 * PATIENCE_MS });
const eventually = { timeout: PATIENCE_MS, interval: 20 };

/**
 * No attempt times out, since a loaded machine may need longer than an attempt may take for what these tests do while
 * their endpoints keep silent. What the timeout does: `drain.test.ts`.
 */
function waitForEveryAnswer(): void {
  const { setTimeout: start } = globalThis;
  const patient = (callback: () => void, ms?: number, ...rest: []) =>
    start(callback, ms === TIMEOUT_MS ? PATIENCE_MS : ms, ...rest);
  vi.stubGlobal("setTimeout", Object.assign(patient, start));
}

let stop: () => Promise<void>;
beforeAll(async () => {
  waitForEveryAnswer();
  // Connections fail on a loaded machine, perhaps several times in a row.
  env.WEBHOOK_RETRY_SECONDS = Array<number>(100).fill(5);
  stop = await startEngine([drainWebhook, retryWebhook]);
  // A drain that could not be enqueued in time is enqueued by the sweeper alone.
  startSweeper(SWEEPS.filter(({ run }) => run === enqueueOverdue));
});
afterAll(async () => {
  await stop();
  vi.unstubAllGlobals();
});

async function change(context: Context, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await run(createOperation("accounts"), context, NEEDED.accounts);
}

/** All but the last of so many changes, of which nothing is sent yet. */
async function prepare(context: Context, changes: number): Promise<void> {
  await pool().query("UPDATE webhooks SET drain_asked_at = now() WHERE organization_id = $1", [context.organizationId]);
  await change(context, changes - 1);
  await pool().query("UPDATE webhooks SET drain_asked_at = NULL WHERE organization_id = $1", [context.organizationId]);
}

/** Ends every request that an endpoint has kept. */
type Release = () => void;

interface Slow {
  /** The answers that requests wait for. */
  waiting: Release[];
  /** Has it answer what it has kept, and from then on at once. */
  release: Release;
}

/** An endpoint that answers nothing until it is released. */
async function startSilent(): Promise<WebhookReceiver & Slow> {
  const waiting: Release[] = [];
  let isReleased = false;
  const receiver = await WebhookReceiver.start((response) => {
    const answer = () => void response.writeHead(204).end();
    if (isReleased) answer();
    else waiting.push(answer);
  });
  const release = () => {
    isReleased = true;
    for (const answer of waiting.splice(0)) answer();
  };
  return Object.assign(receiver, { waiting, release });
}

/** How many events an endpoint has been sent, each counted once: one whose connection failed is sent again. */
function eventsOf({ received }: WebhookReceiver): number {
  return new Set(received.map(({ id }) => id)).size;
}

/** Waits until every delivery of the suite's database is delivered. */
async function expectAllDelivered(): Promise<void> {
  const undelivered = "SELECT FROM webhook_deliveries WHERE state <> 'delivered'";
  await expect.poll(async () => (await pool().query(undelivered)).rowCount, eventually).toBe(0);
}

test("one endpoint gets all that is its own before any of twenty-four slow ones does", async () => {
  const [SLOW, EACH] = [24, 160];
  const context = await createContext();
  const slow = await Promise.all(Array.from({ length: SLOW }, startSilent));
  // With each request to the fast one, each slow one answers one: none is ever silent, and none is done.
  await using fast = await WebhookReceiver.start((...request) => {
    for (const { waiting } of slow) waiting.shift()?.();
    accepts(...request);
  });
  try {
    for (const { url } of slow) await openWebhook(context, { url });
    await prepare(context, EACH);
    await change(context, 1);
    await expect.poll(() => slow.every(({ received }) => received.length > 0), eventually).toBe(true);
    const own = await createContext();
    await openWebhook(own, { url: fast.url });
    await change(own, 50);
    await expect.poll(() => eventsOf(fast), eventually).toBe(50);
    for (const receiver of slow) expect(eventsOf(receiver)).toBeLessThan(EACH);
  } finally {
    for (const { release } of slow) release();
  }
  await expect.poll(() => slow.every((receiver) => eventsOf(receiver) === EACH), eventually).toBe(true);
  await expectAllDelivered();
  for (const receiver of slow) await receiver[Symbol.asyncDispose]();
});

const sum = (counts: number[]) => counts.reduce((total, each) => total + each, 0);

test("however many endpoints hang, a process bounds its requests in flight and has room for one more", async () => {
  const [SILENT, EACH] = [60, 40];
  const contexts = [await createContext(), await createContext()];
  await using silent = await startSilent();
  const keys: WebhookKey[] = [];
  for (const context of contexts) {
    for (let n = 0; n < SILENT / 2; n += 1) keys.push(await openWebhook(context, { url: silent.url }));
    await prepare(context, EACH + 1);
  }
  const inFlight: number[] = [];
  for (const key of keys) inFlight.push((await drain(key)).inFlight);
  expect(Math.min(...inFlight)).toBeGreaterThan(0);
  expect(sum(inFlight)).toBeLessThanOrEqual(2048 + SILENT);
  expect(sum(inFlight.slice(0, SILENT / 2))).toBeLessThanOrEqual(1024 + SILENT / 2);
  await using fast = await WebhookReceiver.start();
  const own = await createContext();
  await openWebhook(own, { url: fast.url });
  await change(own, 20);
  await expect.poll(() => eventsOf(fast), eventually).toBe(20);
  expect(silent.received.length).toBeLessThan(SILENT * EACH);
  silent.release();
  await expect.poll(() => silent.received.length, eventually).toBeGreaterThanOrEqual(SILENT * EACH);
  await expectAllDelivered();
});

test("of large events less is sent at the same time, to each webhook and over all, and one always", async () => {
  const [SILENT, EACH, CHARACTERS] = [12, 40, 260_000];
  const context = await createContext();
  await using silent = await startSilent();
  const keys = await Promise.all(Array.from({ length: SILENT }, () => openWebhook(context, { url: silent.url })));
  await pool().query("UPDATE webhooks SET drain_asked_at = now() WHERE organization_id = $1", [context.organizationId]);
  const half = "n".repeat(CHARACTERS / 2);
  const large = { ...NEEDED.accounts, description: half, custom_fields: { Notes__c: half } };
  for (let n = 0; n < EACH; n += 1) await run(createOperation("accounts"), context, large);
  const inFlight: number[] = [];
  for (const key of keys) inFlight.push((await drain(key)).inFlight);
  expect(inFlight[0]).toBe(Math.floor((8 * 1024 * 1024) / CHARACTERS));
  expect(Math.min(...inFlight)).toBeGreaterThan(0);
  expect(inFlight.reduce((sum, each) => sum + each, 0) * CHARACTERS).toBeLessThan(
    64 * 1024 * 1024 + SILENT * CHARACTERS,
  );
  silent.release();
  await expect.poll(() => eventsOf(silent), eventually).toBe(EACH);
  await expectAllDelivered();
  expect(silent.received.length).toBeGreaterThanOrEqual(SILENT * EACH);
});
