import { expect, test } from "vitest";

import { pool as service } from "@/lib/database/db";
import { enqueueDrain, enqueueOverdue, enqueueRetry } from "@/lib/webhooks/sending/enqueue-drain";
import { registerJobSender } from "@/lib/jobs";
import { createOperation } from "@/lib/records/operations";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool, transaction } from "@/tests/support/owner";

import { deliveriesOf, openWebhook, webhookRow } from "@/tests/webhooks/support/own-webhook";

const URL = "https://hooks.example.com/crm";

test("a write succeeds while a webhook is locked, no connection waits long, and its drain is enqueued", async () => {
  const asked: unknown[] = [];
  registerJobSender(async (name, data) => void asked.push([name, data]));
  const context = await createContext();
  const key = await openWebhook(context, { url: URL });
  const holder = await pool().connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM webhooks WHERE id = $1 FOR UPDATE", [key.webhookId]);
    await run(createOperation("accounts"), context, NEEDED.accounts);
    // PostgreSQL itself has ended it; no connection keeps the bound.
    await untilLockWaits(0);
    await expect.poll(() => asked, { timeout: 10_000 }).toHaveLength(1);
    const bounds = await Promise.all(
      Array.from({ length: 5 }, () => service().query<{ lock_timeout: string }>("SHOW lock_timeout")),
    );
    expect(new Set(bounds.map(({ rows }) => rows[0]?.lock_timeout))).toEqual(new Set(["30s"]));
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
  expect(asked).toEqual([
    [
      "webhooks/retry.scheduled",
      { organization_id: key.organizationId, webhook_id: key.webhookId, at: expect.stringMatching(/:\d\d\.000Z$/) },
    ],
  ]);
  expect(await deliveriesOf(key)).toMatchObject([{ state: "pending" }]);
  expect((await webhookRow(key)).drain_asked_at).toBeNull();
});

test("a locked webhook does not keep drains of other webhooks from being enqueued", async () => {
  const asked: string[] = [];
  registerJobSender(async (_name, data) => void ("webhook_id" in data && asked.push(data.webhook_id)));
  const context = await createContext();
  const keys = [await openWebhook(context, { url: URL }), await openWebhook(context, { url: URL })];
  const ids = keys.map(({ webhookId }) => webhookId);
  await transaction(async (client) => {
    await client.query("SELECT FROM webhooks WHERE id = $1 FOR UPDATE", [ids[0]]);
    await enqueueDrain(context.organizationId, ids);
    await expect.poll(() => asked.toSorted(), { timeout: 10_000 }).toEqual(ids.toSorted());
  });
});

test("a job engine that does not answer, or refuses, delays no change", async () => {
  const context = await createContext();
  await openWebhook(context, { url: URL });
  for (const sender of [
    () => new Promise<void>(() => undefined),
    () => Promise.reject(new Error("The engine is away.")),
  ]) {
    await pool().query("UPDATE webhooks SET drain_asked_at = NULL");
    registerJobSender(sender);
    expect(await run(createOperation("accounts"), context, NEEDED.accounts)).toMatchObject(NEEDED.accounts);
  }
});

test("of many concurrent requests for a drain, one enqueues it until it has begun", async () => {
  const asked: unknown[] = [];
  registerJobSender(async (name, data) => void asked.push([name, data]));
  const context = await createContext();
  const { organizationId, webhookId } = await openWebhook(context, { url: URL });
  await Promise.all(Array.from({ length: 20 }, () => enqueueDrain(organizationId, [webhookId])));
  expect(asked).toEqual([["webhooks/drain.requested", { organization_id: organizationId, webhook_id: webhookId }]]);
  await pool().query("UPDATE webhooks SET drain_asked_at = NULL WHERE id = $1", [webhookId]);
  await enqueueDrain(organizationId, [webhookId]);
  expect(asked).toHaveLength(2);
});

test("enqueueing a retry never throws", async () => {
  registerJobSender(() => Promise.reject(new Error("The engine is away.")));
  const key = {
    organizationId: "00000000-0000-7000-8000-000000000000",
    webhookId: "00000000-0000-7000-8000-000000000001",
  };
  await expect(enqueueRetry(key, new Date())).resolves.toBeUndefined();
});

/** Webhooks of which each has a delivery that a process left when it died. */
async function openOverdue(count: number): Promise<string> {
  const context = await createContext();
  const { organizationId } = await openWebhook(context, { url: URL });
  await pool().query(
    `INSERT INTO webhooks (organization_id, id, created_at, updated_at, url, url_set_by_id, events, event_types)
     SELECT organization_id, uuidv7(), created_at, updated_at, url, url_set_by_id, events, event_types
     FROM webhooks, generate_series(2, $2) WHERE organization_id = $1`,
    [organizationId, count],
  );
  await pool().query(
    `INSERT INTO webhook_deliveries
       (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
     SELECT organization_id, id, uuidv7(), 0, 'account.created', now(), now() - interval '11 seconds'
     FROM webhooks WHERE organization_id = $1`,
    [organizationId],
  );
  return organizationId;
}

/** The number of the twenty seconds in which PostgreSQL's clock is. */
async function period(): Promise<number> {
  const { rows } = await pool().query<{ period: number }>(
    "SELECT floor(extract(epoch FROM now()) / 20)::int AS period",
  );
  return rows[0]?.period ?? 0;
}

test("a sweep asks for a thousand drains at most, the next ones in turn, and all processes for one each", async () => {
  const [OVERDUE, ROUNDS] = [1500, 3];
  const organizationId = await openOverdue(OVERDUE);
  const first = await period();
  const asked = new Map<string, string[]>();
  registerJobSender(async (_name, data, id) => {
    if (data.organization_id !== organizationId || !("webhook_id" in data)) return;
    asked.set(data.webhook_id, [...(asked.get(data.webhook_id) ?? []), id]);
  });
  for (let round = 1; round <= ROUNDS; round += 1) {
    expect(await enqueueOverdue()).toBe(1000);
    expect(await enqueueOverdue()).toBeLessThan(1000);
    expect([asked.size, new Set([...asked.values()].map((ids) => ids.length))]).toEqual([OVERDUE, new Set([round])]);
  }
  const periods = Array.from({ length: (await period()) - first + 1 }, (_, index) => first + index);
  for (const [webhookId, ids] of asked)
    expect(periods.map((each) => `overdue-${webhookId}-${each}`)).toEqual(expect.arrayContaining(ids));
});
