import { expect, test, vi } from "vitest";

// What a run reads follows from the settings that were read when the modules were loaded.
await vi.hoisted(async () => {
  const { env } = await import("@/lib/env");
  env.MIGRATION_PREVIEW_OBJECTS = ["lead", "opportunity"];
});

import { registerJobSender } from "@/lib/jobs";
import { createOperation, getOperation } from "@/lib/records/operations";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { feed, settled } from "@/tests/records/support/read-events";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { accepts, WebhookReceiver } from "@/tests/support/webhook-receiver";

import { deliveriesOf, drainOnce, hasten, openWebhook } from "@/tests/webhooks/support/own-webhook";

/** 50 a second. */
const APART_MS = 20;
const ASKED = { configuration: { send_events: true } };

const accounts = (count: number) =>
  Array.from({ length: count }, (_, index) => sourceRecord("001", index + 1, { Name: `Account ${index + 1}` }));

async function connected(events: readonly string[] = ["*"]) {
  const drains: string[] = [];
  registerJobSender(async (_name, data) => void ("webhook_id" in data && drains.push(data.webhook_id)));
  const receiver = await WebhookReceiver.start(accepts);
  const migration = await createMigration(["Account"]);
  const { organizationId } = migration;
  const context = await createContext({ organizationId });
  const key = await openWebhook(context, { url: receiver.url, events });
  const told = async () => {
    await settled();
    return (await feed(context, { order: "asc", limit: 200 })).data.map(({ type, data }) => ({ type, ...data }));
  };
  const load = (Account: ReturnType<typeof accounts>, options = {}) =>
    runMigration(migration, new ScriptedSource({ Account }), options);
  return {
    drains,
    receiver,
    key,
    context,
    organizationId,
    told,
    load,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

/** When the deliveries of a webhook are due, in the order of their events, in milliseconds. */
async function moments(webhookId: string): Promise<number[]> {
  const text = "SELECT next_attempt_at AS at FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY event_id";
  const { rows } = await pool().query<{ at: Date }>(text, [webhookId]);
  return rows.map(({ at }) => at.getTime());
}

test("an import emits no events unless requested", async () => {
  await using world = await connected();
  expect((await world.load(accounts(3))).lines.Account).toMatchObject({ created: 3 });
  const records = accounts(3).map((record) => ({ ...record, Name: "Another name" }));
  expect((await world.load(records)).lines.Account).toMatchObject({ updated: 3 });
  expect(await world.told()).toEqual([]);
  expect([await deliveriesOf(world.key), world.drains]).toEqual([[], []]);
});

test("if requested, it emits every record as the API shows it, and enqueues a drain after its commit", async () => {
  await using world = await connected();
  const Account = [
    sourceRecord("001", 1, { Name: "A", AnnualRevenue: 12.5, Region__c: "North" }),
    sourceRecord("001", 2, { Name: "B" }),
  ];
  await world.load(Account, ASKED);
  const records = await recordsOf("accounts", world.organizationId);
  const read = [1, 2].map((number) =>
    run(getOperation("accounts"), world.context, { id: records[sourceId("001", number)]?.id }),
  );
  const objects = await Promise.all(read);
  expect(await world.told()).toEqual(objects.map((object) => ({ type: "account.created", object, previous: null })));
  expect(world.drains).toEqual([world.key.webhookId]);
});

test("importing again emits nothing for an unchanged record, and the previous values for a changed one", async () => {
  await using world = await connected();
  const [one, two] = [
    sourceRecord("001", 1, { Name: "Before", Phone: "1", Tier__c: "gold" }),
    sourceRecord("001", 2, { Name: "Same" }),
  ];
  await world.load([one, two], ASKED);
  await world.load([one, two], ASKED);
  expect(await world.told()).toHaveLength(2);
  await world.load([{ ...one, Name: "After", Tier__c: "silver" }, two], ASKED);
  const [, , change, ...more] = await world.told();
  expect(more).toEqual([]);
  expect(change).toMatchObject({
    type: "account.updated",
    object: { name: "After", version: 2, custom_fields: { Tier__c: "silver" } },
  });
  expect(change?.previous).toEqual({ name: "Before", custom_fields: { Tier__c: "gold" } });
  expect(await deliveriesOf(world.key)).toHaveLength(3);
});

test("deliveries of imported records are due fifty a second; other deliveries do not wait behind them", async () => {
  await using world = await connected();
  const begun = Date.now();
  await world.load(accounts(600), ASKED);
  const due = await moments(world.key.webhookId);
  expect(due).toHaveLength(600);
  expect(due[0]).toBeGreaterThan(begun - 1000);
  expect(due.slice(1).filter((moment, index) => moment - (due[index] ?? 0) !== APART_MS)).toEqual([]);
  const { id } = await run(createOperation("accounts"), world.context, NEEDED.accounts);
  const nextDue = await drainOnce(world.key);
  const { received } = world.receiver;
  expect(
    received.map(({ body }) => (JSON.parse(body) as { data: { object: { id: string } } }).data.object.id),
  ).toContain(id);
  expect(received.length).toBeLessThan(600);
  expect(due).toContain(nextDue?.getTime());
  await hasten(world.key);
  await drainOnce(world.key);
  expect(new Set(received.map((each) => each.id)).size).toBe(601);
});

test("a later import takes its moments behind an earlier one's, and begins at once when these are over", async () => {
  await using world = await connected();
  // Ten seconds' worth, so that the second import begins before they are over.
  await world.load(accounts(500), ASKED);
  await world.load(
    accounts(61).map((record) => ({ ...record, Name: "Changed" })),
    ASKED,
  );
  const due = await moments(world.key.webhookId);
  expect((due.at(-1) ?? 0) - (due[0] ?? 0)).toBe(560 * APART_MS);
  await pool().query("UPDATE webhook_import_paces SET paced_until = now() - interval '1 hour' WHERE webhook_id = $1", [
    world.key.webhookId,
  ]);
  const begun = Date.now();
  await world.load(accounts(61), ASKED);
  const later = (await moments(world.key.webhookId)).slice(561);
  expect(later).toHaveLength(61);
  expect(later[0]).toBeGreaterThan(begun - 1000);
});

test("webhooks get what they subscribe to, each at its own rate", async () => {
  await using world = await connected(["account.updated", "contact.*"]);
  const other = await openWebhook(world.context, { url: world.receiver.url, events: ["account.created"] });
  await world.load(accounts(5), ASKED);
  expect([await moments(world.key.webhookId), (await moments(other.webhookId)).length]).toEqual([[], 5]);
  await world.load([{ ...accounts(1)[0], Name: "Changed" }, ...accounts(6).slice(1)], ASKED);
  expect([(await deliveriesOf(world.key)).map(({ type }) => type), (await moments(other.webhookId)).length]).toEqual([
    ["account.updated"],
    6,
  ]);
});

test("a link to a record that is imported later is emitted as a change", async () => {
  await using world = await connected();
  const child = sourceRecord("001", 1, { Name: "Child", ParentId: sourceId("001", 2), Region__c: "North" });
  await world.load([child, sourceRecord("001", 2, { Name: "Parent" })], ASKED);
  const records = await recordsOf("accounts", world.organizationId);
  const parent = records[sourceId("001", 2)]?.id;
  const told = await world.told();
  expect(told.map(({ type }) => type)).toEqual(["account.created", "account.created", "account.updated"]);
  expect(told[2]).toMatchObject({
    object: { name: "Child", parent_account_id: parent, custom_fields: { Region__c: "North" } },
    previous: { parent_account_id: null, custom_fields: { Region__c: "North", ParentId: sourceId("001", 2) } },
  });
  await world.load([child, sourceRecord("001", 2, { Name: "Parent" })], ASKED);
  expect(await world.told()).toHaveLength(3);
});

test("a change in Salesforce has the same second event as one by the API, and a creation has none", async () => {
  await using world = await connected();
  const key = await createMigration(["Case", "Lead", "Opportunity"], undefined, world.organizationId);
  const load = (Case: object, Lead: object, Opportunity: object) =>
    runMigration(
      key,
      new ScriptedSource({
        Case: [sourceRecord("500", 1, { Subject: "Down", CaseNumber: "00001001", ...Case })],
        Lead: [sourceRecord("00Q", 1, { LastName: "Lovelace", Status: "Working", ...Lead })],
        Opportunity: [sourceRecord("006", 1, { Name: "Engine", CloseDate: "2026-12-31", ...Opportunity })],
      }),
      ASKED,
    );
  await load({ IsEscalated: false }, { IsConverted: false }, { StageName: "Prospecting" });
  await load({ IsEscalated: true }, { IsConverted: true }, { StageName: "Closed Won" });
  await load({ IsEscalated: false }, { IsConverted: false }, { StageName: "Closed Won", Name: "Difference Engine" });
  const told = await world.told();
  const typesOf = (entity: string) => told.map(({ type }) => type).filter((type) => type.startsWith(entity));
  const changes = ["created", "updated", "*", "updated"];
  for (const [entity, extra] of [
    ["case", "escalated"],
    ["lead", "converted"],
    ["opportunity", "stage_changed"],
  ] as const)
    expect(typesOf(entity)).toEqual(changes.map((action) => `${entity}.${action === "*" ? extra : action}`));
  const [updated, escalated] = told.filter(({ object }) => Object.entries(object).join().includes("is_escalated,true"));
  expect(escalated).toEqual({ ...updated, type: "case.escalated" });
  expect(escalated?.previous).toMatchObject({ is_escalated: false });
  expect((await deliveriesOf(world.key)).map(({ type }) => type)).toEqual(told.map(({ type }) => type));
});

test("if the database refuses one row of a page, all other rows are emitted", async () => {
  await using world = await connected();
  await world.load(accounts(1));
  await pool().query(`UPDATE accounts SET ext_id = 'moved' WHERE organization_id = $1`, [world.organizationId]);
  const { lines } = await world.load(accounts(9), ASKED);
  expect(lines.Account).toMatchObject({ created: 8, failed: 1 });
  expect((await world.told()).map(({ object }) => (object as { name: string }).name)).toEqual(
    accounts(9)
      .slice(1)
      .map(({ Name }) => Name),
  );
  expect(await deliveriesOf(world.key)).toHaveLength(8);
});
