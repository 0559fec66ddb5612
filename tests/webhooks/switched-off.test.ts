import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { listDisabledByService } from "@/lib/webhooks/endpoints/read-webhooks";
import { updateWebhook } from "@/lib/webhooks/endpoints/update-webhook";
import { run } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { openWebhook } from "@/tests/webhooks/support/own-webhook";

const URL = "https://hooks.example/crm";

/** A webhook that the service has switched off. */
async function openGone(context: Context, description: string): Promise<string> {
  const { webhookId } = await openWebhook(context, { url: URL, description });
  const switchOff = `UPDATE webhooks SET active = false, disabled_at = now(), disabled_reason = 'gone'
      WHERE organization_id = $1
      AND id = $2`;
  await pool().query(switchOff, [context.organizationId, webhookId]);
  return webhookId;
}

test("admins see webhooks that the service switched off, not those that a person switched off", async () => {
  const [context, other] = [await createContext(), await createContext()];
  const id = await openGone(context, "Old ERP");
  await openGone(other, "Theirs");
  await openWebhook(context, { url: URL });
  await openWebhook(context, { url: URL, active: false });
  expect(await listDisabledByService(context.organizationId)).toEqual([
    { id, url: URL, description: "Old ERP", disabled_reason: "gone" },
  ]);
});

test("they are told until it is switched on again", async () => {
  const context = await createContext();
  const id = await openGone(context, "Old ERP");
  await run(updateWebhook, context, { id, description: "Older ERP" });
  expect(await listDisabledByService(context.organizationId)).toHaveLength(1);
  await run(updateWebhook, context, { id, active: true });
  expect(await listDisabledByService(context.organizationId)).toEqual([]);
});
