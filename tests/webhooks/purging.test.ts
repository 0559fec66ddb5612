import { expect, test } from "vitest";

import { createOperation } from "@/lib/records/operations";
import { purgeDeliveries } from "@/lib/webhooks/deliveries/purge-deliveries";
import { deleteWebhook } from "@/lib/webhooks/endpoints/delete-webhook";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool, transaction } from "@/tests/support/owner";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";

import { attemptsAt, deliveriesOf, drainOnce, openWebhook } from "@/tests/webhooks/support/own-webhook";

test("deliveries and their attempts are purged after thirty days, and not before", async () => {
  await using receiver = await WebhookReceiver.start();
  const context = await createContext();
  const key = await openWebhook(context, { url: receiver.url });
  for (let n = 0; n < 2; n += 1) await run(createOperation("accounts"), context, NEEDED.accounts);
  await drainOnce(key);
  const [first] = await deliveriesOf(key);
  const age = (table: string, column: string, days: number) =>
    pool().query(`UPDATE ${table} SET ${column} = now() - $2 * interval '1 day' WHERE event_id = $1`, [
      first?.event_id,
      days,
    ]);
  for (const [days, left] of [
    [29.9, 2],
    [30.1, 1],
  ] as const) {
    await age("webhook_deliveries", "created_at", days);
    await age("webhook_attempts", "attempted_at", days);
    expect(await purgeDeliveries()).toBe(2 - left);
    expect([(await deliveriesOf(key)).length, (await attemptsAt(key)).length]).toEqual([left, left]);
  }
});

test("the pace of imports is purged after them and with their webhook; rows that an import locks stay", async () => {
  const context = await createContext();
  const keys = [];
  for (let n = 0; n < 3; n += 1) keys.push(await openWebhook(context, { url: "https://hooks.example.com/crm" }));
  const [over, held, ahead] = keys.map(({ webhookId }) => webhookId);
  const pace = "INSERT INTO webhook_import_paces VALUES ($1, $2, now() + $3 * interval '1 second')";
  for (const [id, seconds] of [
    [over, -1],
    [held, -1],
    [ahead, 60],
  ] as const) {
    await pool().query(pace, [context.organizationId, id, seconds]);
  }
  await transaction(async (client) => {
    await client.query("SELECT FROM webhook_import_paces WHERE webhook_id = $1 FOR UPDATE", [held]);
    await purgeDeliveries();
    expect(await pacedWebhooks()).toEqual([held, ahead].toSorted());
  });
  await run(deleteWebhook, context, { id: ahead });
  expect(await pacedWebhooks()).toEqual([held]);
});

async function pacedWebhooks(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>("SELECT webhook_id AS id FROM webhook_import_paces ORDER BY 1");
  return rows.map(({ id }) => id);
}
