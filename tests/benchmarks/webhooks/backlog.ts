import { setTimeout as delay } from "node:timers/promises";

import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";

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

/** Creates a signed webhook for all new accounts, and returns its id. */
export async function openWebhook(context: Context, url: string): Promise<string> {
  const { createWebhook } = await import("@/lib/webhooks/endpoints/create-webhook");
  const { run } = await import("@/tests/records/support/write-operations");
  return (await run(createWebhook, context, { url, events: ["account.created"], generate_secret: true })).id;
}

export async function closeWebhooks(context: Context, ids: readonly string[]): Promise<void> {
  const { deleteWebhook } = await import("@/lib/webhooks/endpoints/delete-webhook");
  const { run } = await import("@/tests/records/support/write-operations");
  for (const id of ids) await run(deleteWebhook, context, { id });
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
