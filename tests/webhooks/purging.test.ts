import { expect, test } from "vitest";

import { importedId, minIdAt, newId } from "@/lib/ids";
import { createOperation } from "@/lib/records/operations";
import { purgeAttempts, purgeDeliveries, purgeOldText, purgePaces } from "@/lib/webhooks/deliveries/purge-deliveries";
import { deleteWebhook } from "@/lib/webhooks/endpoints/delete-webhook";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool, transaction } from "@/tests/support/owner";
import { planOf } from "@/tests/support/query-plan";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";

import { attemptsAt, deliveriesOf, drainOnce, openWebhook } from "@/tests/webhooks/support/own-webhook";

test("deliveries and their attempts are purged after thirty days, and not before", async () => {
  await using receiver = await WebhookReceiver.start();
  const context = await createContext();
  const key = await openWebhook(context, { url: receiver.url });
  for (let n = 0; n < 2; n += 1) await run(createOperation("accounts"), context, NEEDED.accounts);
  await drainOnce(key);
  const [first] = await deliveriesOf(key);
  let id = first?.event_id ?? "";
  const age = async (days: number) => {
    const aged = importedId(key.organizationId, id, new Date(Date.now() - days * 24 * 3_600_000));
    for (const table of ["webhook_deliveries", "webhook_attempts"])
      await pool().query(`UPDATE ${table} SET event_id = $2 WHERE event_id = $1`, [id, aged]);
    id = aged;
  };
  for (const [days, left] of [
    [29.9, 2],
    [30.1, 1],
  ] as const) {
    await age(days);
    expect([await purgeDeliveries(), await purgeAttempts()]).toEqual([2 - left, 2 - left]);
    expect([(await deliveriesOf(key)).length, (await attemptsAt(key)).length]).toEqual([left, left]);
  }
});

test.each(["webhook_deliveries", "webhook_attempts"] as const)(
  "a purge of %s reads no row that stays, and finds those of deleted webhooks",
  async (table) => {
    const { organizationId } = await createContext();
    const old = minIdAt(new Date(Date.now() - 31 * 24 * 3_600_000));
    const [columns, values] =
      table === "webhook_deliveries"
        ? ["event_tx, type, created_at", "1, 'case.created', now()"]
        : ["number, attempted_at, url, latency_ms", "1, now(), '', 1"];
    for (const webhookId of [newId(), newId()])
      await pool().query(
        `INSERT INTO ${table} (organization_id, webhook_id, event_id, ${columns})
         SELECT $1, $2, CASE WHEN n % 2000 = 0 THEN overlay($3 placing lpad(n::text, 12, '0') from 25)::uuid
           ELSE uuidv7() END, ${values} FROM generate_series(1, 10000) AS n`,
        [organizationId, webhookId, old],
      );
    await pool().query(`ANALYZE ${table}`);
    const text = purgeOldText(table);
    const before = minIdAt(new Date(Date.now() - 30 * 24 * 3_600_000));
    const nodes = await planOf({ text, values: [organizationId, before] }, "force_generic_plan", { analyze: true });
    const read = nodes.filter((node) => node["Relation Name"] === table).map((node) => node["Actual Rows"] ?? 0);
    expect(Math.max(...read)).toBeLessThanOrEqual(10);
    expect(nodes.map((node) => node["Node Type"])).not.toContain("Seq Scan");
    expect(await (table === "webhook_deliveries" ? purgeDeliveries : purgeAttempts)()).toBe(10);
  },
);

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
    await purgePaces();
    expect(await pacedWebhooks()).toEqual([held, ahead].toSorted());
  });
  await run(deleteWebhook, context, { id: ahead });
  expect(await pacedWebhooks()).toEqual([held]);
});

async function pacedWebhooks(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>("SELECT webhook_id AS id FROM webhook_import_paces ORDER BY 1");
  return rows.map(({ id }) => id);
}
