import { expect, test } from "vitest";

import { pool, transaction } from "@/lib/db";
import { retriedTransaction } from "@/lib/retried-transaction";

test.each(["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"])(
  "every connection has a %s, of a minute at most",
  async (name) => {
    const { rows } = await pool().query<{ setting: string }>("SELECT setting FROM pg_settings WHERE name = $1", [name]);
    const milliseconds = Number(rows[0]?.setting);
    expect(milliseconds).toBeGreaterThan(0);
    expect(milliseconds).toBeLessThanOrEqual(60_000);
  },
);

test("who waits in vain for a lock is told to try again, once and not ten times", async () => {
  let attempts = 0;
  const waiting = () =>
    retriedTransaction(async (client) => {
      attempts += 1;
      await client.query("SET LOCAL lock_timeout = '20ms'");
      await client.query("LOCK TABLE accounts");
    });
  await transaction(async (client) => {
    await client.query("LOCK TABLE accounts");
    await expect(waiting()).rejects.toMatchObject({ code: "too_many_requests", retryAfter: 1 });
  });
  expect(attempts).toBe(1);
});
