import { z } from "zod";

import { answeringTransaction } from "@/lib/database/transactions";
import { TEST_EVENT } from "@/lib/event-format";
import { enqueueAfterCommit } from "@/lib/webhooks/sending/enqueue-drain";
import { idOrNull, newId } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { defineOperation } from "@/lib/operation";
import { assertAppAccess } from "@/lib/webhooks/app-access";
import { webhookNotFound } from "@/lib/webhooks/endpoints/webhook-rows";
import { testEventObject } from "@/lib/webhooks/event-types";

/** Keeps the webhook from being deleted before the commit; attempts can still be recorded. */
const LOCK = "SELECT FROM webhooks WHERE organization_id = $1 AND id = $2 FOR KEY SHARE";

const EMIT = `
  WITH emitted AS (
    INSERT INTO events (organization_id, id, created_at, type, record_id, object, previous)
      VALUES ($1, $3, now(), '${TEST_EVENT}', $2, $4, NULL)
    RETURNING id, tx, type, created_at
  )
  INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
  SELECT $1, $2, id, tx, type, created_at, now() FROM emitted`;

export const sendTest = defineOperation({
  name: "test_webhook",
  summary:
    "Send a test event to a webhook, in the same way as all events. It is sent even if the webhook is switched off.",
  scopes: ["crm:write"],
  adminsOnly: true,
  stores: true,
  status: 202,
  input: z.strictObject({ id: pathId("webhook") }),
  output: z.object({ event_id: z.uuidv7().describe("The id by which the delivery can be read.") }),
  run(context, { id }) {
    const { organizationId } = context;
    return answeringTransaction(context, async (client) => {
      await assertAppAccess(client, context);
      if ((await client.query(LOCK, [organizationId, idOrNull(id)])).rowCount === 0) throw webhookNotFound();
      const event_id = newId();
      await client.query(EMIT, [organizationId, id, event_id, JSON.stringify(testEventObject(id))]);
      enqueueAfterCommit(client, organizationId, [id]);
      return { event_id };
    });
  },
});
