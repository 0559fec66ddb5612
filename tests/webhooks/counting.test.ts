import { expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { pool } from "@/tests/support/owner";

import { ASKED, clientOf } from "@/tests/webhooks/support/call-webhooks";

test("failed deliveries are counted beside pending ones, also after successes, until they are recovered", async () => {
  const { call, context } = await clientOf();
  const { id } = (await call("POST", "/webhooks", ASKED)).body;
  const path = `/webhooks/${id}`;
  const insert = `
    INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, state, created_at, attempts,
      next_attempt_at)
    SELECT $1, $2, gen_random_uuid(), 1, 'case.created', state::webhook_delivery_state, now(), 8, CASE
      WHEN state = 'pending' THEN now() END
    FROM unnest($3::text[]) AS state`;
  const states = [...Array.from({ length: 4 }, () => "failed"), "delivered", "pending"];
  await pool().query(insert, [context.organizationId, id, states]);
  await pool().query(insert, [newId(), id, states]);
  await pool().query(insert, [context.organizationId, newId(), states]);
  await pool().query("UPDATE webhooks SET last_delivered_at = now(), failing_since = NULL WHERE organization_id = $1", [
    context.organizationId,
  ]);
  const counts = { failing_since: null, pending_deliveries: 1, failed_deliveries: 4 };
  expect((await call("GET", path)).body).toMatchObject(counts);
  expect((await call("GET", "/webhooks")).body.data).toMatchObject([counts]);
  await pool().query("UPDATE webhook_deliveries SET state = 'pending', next_attempt_at = now() WHERE webhook_id = $1", [
    id,
  ]);
  expect((await call("GET", path)).body).toMatchObject({ pending_deliveries: 6, failed_deliveries: 0 });
  await pool().query(insert, [context.organizationId, id, Array.from({ length: 10_001 }, () => "failed")]);
  expect((await call("GET", path)).body).toMatchObject({ pending_deliveries: 6, failed_deliveries: 10_000 });
});
