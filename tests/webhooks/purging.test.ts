import { expect, test } from "vitest";

import { pool } from "@/lib/db";
import { createOperation } from "@/lib/records/operations";
import { purgeDeliveries } from "@/lib/webhooks/purge-deliveries";
import { NEEDED, run } from "@/tests/records/write-operations";
import { createContext } from "@/tests/support/factories";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";

import { attemptsAt, deliveriesOf, drainOnce, openWebhook } from "./own-webhook";

test("deliveries and their attempts are forgotten after thirty days, and not before", async () => {
  await using receiver = await WebhookReceiver.start();
  const context = await createContext();
  const key = await openWebhook(context, { url: receiver.url });
  for (let n = 0; n < 2; n += 1) await run(createOperation("accounts"), context, NEEDED.accounts);
  await drainOnce(key);
  const [first] = await deliveriesOf(key);
  const age = (table: string, column: string, days: number) =>
    pool().query(`UPDATE ${table} SET ${column} = now() - $2 * interval '1 day' WHERE event_id = $1`, [first?.event_id, days]);
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
