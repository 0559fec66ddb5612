import { expect, test } from "vitest";

import { NEEDED } from "@/tests/support/factories";
import { createOperation } from "@/lib/records/operations";
import { run } from "@/tests/records/support/write-operations";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";
import { pool } from "@/tests/support/owner";

import { ASKED, type Caller, clientOf } from "@/tests/webhooks/support/call-webhooks";
import { deliveriesOf, drainOnce } from "@/tests/webhooks/support/own-webhook";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

async function created(more: object = {}) {
  const admin = await clientOf();
  const { body } = await admin.call("POST", "/webhooks", { ...ASKED, ...more });
  return { ...admin, id: body.id, path: `/webhooks/${body.id}` };
}

interface Told {
  action: string;
  user_id: string;
  client_id: string | null;
  details: Record<string, unknown>;
}

/** What the audit log tells of webhooks, in order. */
async function auditOf({ context }: Pick<Caller, "context">): Promise<Told[]> {
  const text = `SELECT action, user_id, client_id, details FROM audit_events WHERE organization_id = $1
      AND action LIKE 'webhook.%'
      ORDER BY id`;
  return (await pool().query<Told>(text, [context.organizationId])).rows;
}

test("who did what to a webhook stands in the audit log, by the host of the endpoint alone", async () => {
  const { call, path, id, context } = await created({ secret: SECRET });
  await call("PATCH", path, { active: false, events: ["*"] });
  await call("PATCH", path, { active: false });
  await call("POST", `${path}/rotate_secret`, {});
  await call("DELETE", path);
  const events = await auditOf({ context });
  expect(events.map(({ action }) => action)).toEqual([
    "webhook.created",
    "webhook.updated",
    "webhook.secret_rotated",
    "webhook.deleted",
  ]);
  for (const event of events) {
    expect(event).toMatchObject({ user_id: context.userId, details: { webhook_id: id, host: "hooks.example.com" } });
    expect(event.client_id).not.toBeNull();
  }
  expect(events[1]?.details).toMatchObject({ changed: ["events", "active"], active: false });
  expect(JSON.stringify(events)).not.toMatch(/of-theirs|whsec_/);
});

test("resending and recovering are recorded too", async () => {
  await using receiver = await WebhookReceiver.start();
  const { call, path, id, context } = await created({ url: receiver.url, events: ["*"] });
  const key = { organizationId: context.organizationId, webhookId: id };
  await run(createOperation("accounts"), context, NEEDED.accounts);
  await drainOnce(key);
  const [{ event_id } = { event_id: "" }] = await deliveriesOf(key);
  const since = new Date(Date.now() - 60_000).toISOString();
  const answers = [
    await call("POST", `${path}/deliveries/${event_id}/resend`),
    await call("POST", `${path}/recover`, { since }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  const { host } = new URL(receiver.url);
  const by = { user_id: context.userId, client_id: expect.any(String) };
  const [, ...told] = await auditOf({ context });
  expect(told).toEqual([
    { ...by, action: "webhook.resent", details: { webhook_id: id, host, event_id } },
    { ...by, action: "webhook.recovered", details: { webhook_id: id, host, since } },
  ]);
});

test("a refused request is not recorded as done", async () => {
  const { call, path, id, context } = await created({ active: false });
  const answers = [
    await call("POST", `${path}/recover`, { since: new Date().toISOString() }),
    await call("POST", `${path}/recover`, { since: "2020-01-01T00:00:00Z" }),
    await call("POST", `${path}/deliveries/${id}/resend`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 404]);
  expect((await auditOf({ context })).map(({ action }) => action)).toEqual(["webhook.created"]);
});
