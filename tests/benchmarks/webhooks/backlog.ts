import { setTimeout as delay } from "node:timers/promises";

import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { UUID_V7 } from "@/tests/benchmarks/api/seed-opportunities";

/** Records created by one statement. */
const BATCH = 1000;

/** The fields of each created account. */
export const ACCOUNT = {
  name: "Alpine Tools",
  industry: "Machinery",
  phone: "+43 512 1234567",
  billing_street: "Museumstraße 1",
  billing_city: "Innsbruck",
  billing_country: "AT",
  description: "Asked for an offer at the trade fair; wants to see the pump in Innsbruck first.",
  custom_fields: { Region__c: "North", Score__c: 7 },
};

/** Creates a signed webhook for one type of events, and returns its id. */
export async function openWebhook(context: Context, url: string, type = "account.created"): Promise<string> {
  const { createWebhook } = await import("@/lib/webhooks/endpoints/create-webhook");
  const { run } = await import("@/tests/records/support/write-operations");
  return (await run(createWebhook, context, { url, events: [type], generate_secret: true })).id;
}

export async function closeWebhooks(context: Context, ids: readonly string[]): Promise<void> {
  const { deleteWebhook } = await import("@/lib/webhooks/endpoints/delete-webhook");
  const { run } = await import("@/tests/records/support/write-operations");
  for (const id of ids) await run(deleteWebhook, context, { id });
}

/** $2: a webhook. Its events of the last week, each delivered at the first attempt. */
const DELIVERED = `
  WITH numbered AS (
    SELECT pg_temp.uuid_v7(at, 'event' || n) AS id, at, (random() * 40)::int AS latency_ms
    FROM generate_series(1, $3::int) AS n,
      date_trunc('milliseconds', now() - interval '7 days' * (1 - (n - 0.5) / $3)) AS at
  ), emitted AS (
    INSERT INTO events (organization_id, id, created_at, type, record_id, object)
    SELECT $1, id, at, 'account.updated', id, $4::json FROM numbered
    RETURNING organization_id, tx, id, type, created_at
  ), delivered AS (
    INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, state, created_at, attempts,
      tries)
    SELECT organization_id, $2, id, tx, type, 'delivered', created_at, 1, 1 FROM emitted
  )
  INSERT INTO webhook_attempts (organization_id, webhook_id, event_id, number, attempted_at, url, latency_ms, status,
    response_headers, response_body)
  SELECT $1, $2, id, 1, at, 'https://example.com/hooks', latency_ms, 200, '{"content-type": "text/plain"}', 'ok'
  FROM numbered`;

/** Gives the organization a history of so many deliveries, and leaves the tables as autovacuum would. */
export async function seedDelivered(context: Context, count: number): Promise<void> {
  const { pool } = await import("@/tests/support/owner");
  const webhookId = await openWebhook(context, "https://example.com/hooks", "account.updated");
  const client = await pool().connect();
  try {
    await client.query("SET statement_timeout = 0");
    await client.query(UUID_V7);
    await client.query(DELIVERED, [context.organizationId, webhookId, count, JSON.stringify(ACCOUNT)]);
    await client.query("VACUUM (ANALYZE) events, webhook_deliveries, webhook_attempts");
    await client.query("CHECKPOINT");
  } finally {
    client.release(true);
  }
}

/** Creates accounts in one transaction, as the API does, and returns the time of its commit (`performance.now()`). */
export async function createAccounts(context: Context, count: number): Promise<number> {
  const { transaction } = await import("@/lib/database/db");
  const { inOrganization } = await import("@/lib/database/organization-scope");
  const { createRecords } = await import("@/lib/records/write/create-record");
  const { ENTITIES } = await import("@/lib/records/schema/registry");
  const create = async (client: PoolClient) => {
    for (let left = count; left > 0; left -= BATCH) {
      await createRecords(
        client,
        ENTITIES.accounts,
        context,
        Array.from({ length: Math.min(BATCH, left) }, () => ACCOUNT),
      );
    }
  };
  await inOrganization(context.organizationId, () => transaction(create));
  return performance.now();
}

/** Waits until none of the webhooks has a pending delivery, and returns the time (`performance.now()`). */
export async function untilDelivered({ organizationId }: Context, webhookIds: readonly string[]): Promise<number> {
  const { pool } = await import("@/tests/support/owner");
  const text = `SELECT FROM webhook_deliveries
    WHERE organization_id = $1 AND webhook_id = ANY ($2::uuid[]) AND state = 'pending' LIMIT 1`;
  while ((await pool().query(text, [organizationId, webhookIds])).rowCount !== 0) await delay(20);
  return performance.now();
}
