import { describe, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { revokeGrant } from "@/lib/oauth/clients/grants";
import { revokeClient } from "@/lib/oauth/clients/revoke-client";
import { createOperation } from "@/lib/records/operations";
import { disableOrphanedWebhooks, endWebhooksOfApp } from "@/lib/webhooks/app-access";
import { getWebhook, listDisabledByService } from "@/lib/webhooks/endpoints/read-webhooks";
import { updateWebhook } from "@/lib/webhooks/endpoints/update-webhook";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";
import { pool, transaction } from "@/tests/support/owner";

import { ASKED } from "@/tests/webhooks/support/call-webhooks";
import { type App, appOf } from "@/tests/webhooks/support/own-app";
import { attemptsAt, deliveriesOf, drainOnce, openWebhook } from "@/tests/webhooks/support/own-webhook";

function revoke(context: Context, app: App, input: object = {}) {
  return run(revokeClient, context, { id: app.id, ...input });
}

async function removeAccess(context: Context, app: App, input: object = {}) {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM oauth_grants WHERE client_id = $1 AND user_id = $2",
    [app.id, context.userId],
  );
  return run(revokeGrant, context, { id: rows[0]?.id, ...input });
}

function stateOf(context: Context, id: string) {
  return run(getWebhook, context, { id });
}

async function emailOf({ userId }: Context): Promise<string> {
  return (
    (await pool().query<{ email: string }>("SELECT email FROM users WHERE id = $1", [userId])).rows[0]?.email ?? ""
  );
}

async function auditOf({ organizationId }: Context, action: string) {
  const text = `SELECT user_id, client_id, address, details FROM audit_events WHERE organization_id = $1 AND action = $2
      ORDER BY id`;
  return (
    await pool().query<{ user_id: string | null; client_id: string; address: string; details: object }>(text, [
      organizationId,
      action,
    ])
  ).rows;
}

/** An app's webhook to which the creation of an account is to be sent. */
async function toBeSent(receiver: WebhookReceiver) {
  const context = await createContext();
  const app = await appOf(context);
  const id = await app.setUp(receiver.url);
  await run(createOperation("accounts"), context, NEEDED.accounts);
  return { context, app, id, key: { organizationId: context.organizationId, webhookId: id } };
}

const OFF = { active: false, disabled_reason: "access_ended", disabled_at: expect.any(String) };
const ON = { active: true, disabled_reason: null, disabled_at: null };

describe("when an app is revoked", () => {
  test("nothing more is sent to the endpoint that the app set, neither pending nor new events", async () => {
    await using receiver = await WebhookReceiver.start();
    const { context, app, id, key } = await toBeSent(receiver);
    expect((await deliveriesOf(key)).map(({ state }) => state)).toEqual(["pending"]);

    expect(await revoke(context, app)).toMatchObject({ webhooks_switched_off: 1 });
    await run(createOperation("accounts"), context, NEEDED.accounts);
    await drainOnce(key);
    expect(receiver.received).toEqual([]);
    expect(await attemptsAt(key)).toEqual([]);
    expect(await deliveriesOf(key)).toHaveLength(1);
    expect(await stateOf(context, id)).toMatchObject(OFF);
  });

  test("a test event that waits is not sent to it either, though such events go to webhooks that are off", async () => {
    const context = await createContext();
    await using receiver = await WebhookReceiver.start();
    const app = await appOf(context);
    const id = await app.setUp(receiver.url);
    const key = { organizationId: context.organizationId, webhookId: id };
    expect((await app.call("POST", `/webhooks/${id}/test`)).status).toBe(202);
    await revoke(context, app);
    await drainOnce(key);
    expect(receiver.received).toEqual([]);
    expect(await deliveriesOf(key)).toMatchObject([{ state: "failed", due_in: null }]);
  });

  test("other webhooks stay: an admin's, another app's, another organization's, and one that was off", async () => {
    const [context, stranger] = [await createContext(), await createContext()];
    const [app, other, foreign] = [await appOf(context), await appOf(context), await appOf(stranger)];
    const own = (await openWebhook(context, { url: ASKED.url })).webhookId;
    const [theirs, abroad, off] = [await other.setUp(), await foreign.setUp(), await app.setUp()];
    await run(updateWebhook, context, { id: off, active: false });
    expect(await revoke(context, app)).toMatchObject({ webhooks_switched_off: 0 });
    for (const id of [own, theirs]) expect(await stateOf(context, id)).toMatchObject(ON);
    expect(await stateOf(stranger, abroad)).toMatchObject(ON);
    expect(await stateOf(context, off)).toMatchObject({ active: false, disabled_reason: null });
  });

  test("whoever revokes it can keep its webhooks, which then are webhooks of their own", async () => {
    const context = await createContext();
    const app = await appOf(await createContext({ organizationId: context.organizationId }));
    const id = await app.setUp();
    expect(await revoke(context, app, { webhooks: "keep" })).toMatchObject({ webhooks_kept: 1 });
    expect(await stateOf(context, id)).toMatchObject({
      ...ON,
      client_id: null,
      client_name: null,
      url_set_by: await emailOf(context),
      version: 2,
    });
    expect((await auditOf(context, "client.revoked"))[0]?.details).toEqual({ tokens_stopped: 1, webhooks_kept: 1 });
  });

  test("one that it sets up at that very moment is refused or switched off; it could stay before", async () => {
    for (let round = 0; round < 8; round += 1) {
      const context = await createContext();
      const app = await appOf(context);
      const asked = { url: ASKED.url, events: ["*"] };
      const own = (await openWebhook(context, { url: "https://own.example.com/" })).webhookId;
      const [created, changed] = await Promise.all([
        app.call("POST", "/webhooks", asked),
        app.call("PATCH", `/webhooks/${own}`, { url: ASKED.url }),
        revoke(context, app),
      ]);
      expect([201, 401, 403]).toContain(created.status);
      expect([200, 401, 403]).toContain(changed.status);
      const left = "SELECT FROM webhooks WHERE organization_id = $1 AND url = $2 AND active";
      expect((await pool().query(left, [context.organizationId, ASKED.url])).rowCount).toBe(0);
    }
  });

  test("it stands in the audit log, each webhook by itself, with who did it, from where, and the app", async () => {
    const context = { ...(await createContext()), address: "192.0.2.7" };
    const app = await appOf(context);
    const id = await app.setUp();
    await revoke(context, app);
    const by = { user_id: context.userId, client_id: app.id, address: "192.0.2.7" };
    expect(await auditOf(context, "client.revoked")).toEqual([
      { ...by, details: { tokens_stopped: 1, webhooks_switched_off: 1 } },
    ]);
    expect(await auditOf(context, "webhook.disabled")).toEqual([
      { ...by, details: { webhook_id: id, host: "hooks.example.com", reason: "access_ended" } },
    ]);
  });

  test("admins are not told on every page of what one of them has decided", async () => {
    const context = await createContext();
    const app = await appOf(context);
    await app.setUp();
    await revoke(context, app);
    expect(await listDisabledByService(context.organizationId)).toEqual([]);
  });
});

describe("a webhook knows the app that named its endpoint", () => {
  test("when the app has created it", async () => {
    const context = await createContext();
    const app = await appOf(context);
    expect(await stateOf(context, await app.setUp())).toMatchObject({
      client_id: app.client_id,
      client_name: "Test client",
      url_set_by: await emailOf(context),
    });
  });

  test("when the app has led an admin's webhook elsewhere, which thus did not outlive it", async () => {
    const context = await createContext();
    const app = await appOf(context);
    const { webhookId: id } = await openWebhook(context, { url: "https://own.example.com/" });
    expect(await stateOf(context, id)).toMatchObject({ client_id: null });
    await app.call("PATCH", `/webhooks/${id}`, { events: ["case.*"] });
    expect(await stateOf(context, id)).toMatchObject({ client_id: null });
    await app.call("PATCH", `/webhooks/${id}`, { url: ASKED.url });
    expect(await stateOf(context, id)).toMatchObject({ client_id: app.client_id });
    await revoke(context, app);
    expect(await stateOf(context, id)).toMatchObject(OFF);
  });

  test("until an admin leads it elsewhere, and not when the admin changes what else there is of it", async () => {
    const context = await createContext();
    const app = await appOf(context);
    const [moved, renamed] = [await app.setUp(), await app.setUp()];
    await run(updateWebhook, context, { id: moved, url: "https://own.example.com/" });
    await run(updateWebhook, context, { id: renamed, description: "Reporting", events: ["case.*"] });
    await revoke(context, app);
    expect(await stateOf(context, moved)).toMatchObject({ ...ON, client_id: null });
    expect(await stateOf(context, renamed)).toMatchObject(OFF);
  });
});

describe("when one person's word for an app ends", () => {
  test("by removing its access: its webhooks in their name are switched off, those in other names stay", async () => {
    const context = await createContext();
    const colleague = await createContext({ organizationId: context.organizationId });
    const app = await appOf(context);
    const [mine, theirs] = [await app.setUp(), await app.setUp()];
    await pool().query("UPDATE webhooks SET url_set_by_id = $1 WHERE id = $2", [colleague.userId, theirs]);
    expect(await removeAccess(context, app)).toMatchObject({ webhooks_switched_off: 1 });
    expect(await stateOf(context, mine)).toMatchObject(OFF);
    expect(await stateOf(context, theirs)).toMatchObject(ON);
    expect(await auditOf(context, "grant.revoked")).toMatchObject([
      { details: { tokens_stopped: 1, webhooks_switched_off: 1 } },
    ]);
  });

  test("by removing its access and keeping what it set up", async () => {
    const context = await createContext();
    const app = await appOf(context);
    const id = await app.setUp();
    expect(await removeAccess(context, app, { webhooks: "keep" })).toMatchObject({ webhooks_kept: 1 });
    expect(await stateOf(context, id)).toMatchObject({ ...ON, client_id: null });
  });

  test("with the person: webhooks that apps set in their name are switched off, their own stay", async () => {
    const context = await createContext();
    const leaving = await createContext({ organizationId: context.organizationId });
    const own = (await openWebhook(leaving, { url: ASKED.url })).webhookId;
    const ids = [await (await appOf(leaving)).setUp(), await (await appOf(leaving)).setUp()];
    const spared = await (await appOf(context)).setUp();
    const ended = await transaction((client) => endWebhooksOfApp(client, context, { userId: leaving.userId }));
    expect(ended).toEqual({ webhooks_switched_off: 2 });
    for (const id of ids) expect(await stateOf(context, id)).toMatchObject(OFF);
    for (const id of [own, spared]) expect(await stateOf(context, id)).toMatchObject(ON);
  });
});

test.each([
  ["is no admin any more", "UPDATE memberships SET role = 'member' WHERE user_id = $1"],
  ["is disabled", "UPDATE memberships SET disabled_at = now() WHERE user_id = $1"],
  ["is removed", "DELETE FROM memberships WHERE user_id = $1"],
])(
  "when the person %s, whichever way, what an app set up in their name is switched off within the minute",
  async (_, how) => {
    const context = await createContext();
    const leaving = await createContext({ organizationId: context.organizationId });
    const own = (await openWebhook(leaving, { url: ASKED.url })).webhookId;
    const app = await appOf(leaving);
    const id = await app.setUp();
    await disableOrphanedWebhooks();
    expect(await stateOf(context, id)).toMatchObject(ON);
    await pool().query(how, [leaving.userId]);
    await disableOrphanedWebhooks();
    expect(await stateOf(context, id)).toMatchObject(OFF);
    expect(await stateOf(context, own)).toMatchObject(ON);
    expect(await auditOf(context, "webhook.disabled")).toMatchObject([
      { user_id: null, client_id: app.id, details: { reason: "access_ended" } },
    ]);
  },
);

test("an admin who switches one on again has it sent what waits, and can recover the rest", async () => {
  await using receiver = await WebhookReceiver.start();
  const { context, app, id, key } = await toBeSent(receiver);
  await revoke(context, app);
  expect(await run(updateWebhook, context, { id, active: true })).toMatchObject({
    ...ON,
    client_id: null,
    url_set_by: await emailOf(context),
  });
  await disableOrphanedWebhooks();
  expect(await stateOf(context, id)).toMatchObject(ON);
  await drainOnce(key);
  expect(receiver.received).toHaveLength(1);
});
