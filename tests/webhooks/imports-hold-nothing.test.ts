import { expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { registerJobSender } from "@/lib/jobs";
import { linkSelfReferences } from "@/lib/migration/pipeline/load/references";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { createOperation } from "@/lib/records/operations";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";
import { accepts, WebhookReceiver } from "@/tests/support/webhook-receiver";

import { deliveriesOf, drainOnce, openWebhook } from "@/tests/webhooks/support/own-webhook";

const ASKED = { configuration: { send_events: true } };

/** An import cannot go on, because somebody holds what it writes last. */
const importWaits = () => untilLockWaits(1, "INSERT INTO migration_record_issues%");

test("an open import that emits events delays neither its webhook's deliveries nor anybody else's", async () => {
  registerJobSender(async () => undefined);
  await using receiver = await WebhookReceiver.start(accepts);
  const migration = await createMigration(["Account"]);
  const [own, other] = [await createContext({ organizationId: migration.organizationId }), await createContext()];
  const keys = [
    await openWebhook(own, { url: receiver.url }),
    await openWebhook(other, { url: receiver.url }),
  ] as const;
  const Account = [1, 2, 3].map((number) =>
    sourceRecord("001", number, { Name: `Account ${number}`, ...(number === 3 && { CreatedDate: "never" }) }),
  );
  const holder = await pool().connect();
  let imported: ReturnType<typeof runMigration> | undefined;
  try {
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE migration_record_issues IN SHARE MODE");
    imported = runMigration(migration, new ScriptedSource({ Account }), ASKED);
    await importWaits();
    for (const context of [own, other]) await run(createOperation("accounts"), context, NEEDED.accounts);
    for (const key of keys) await drainOnce(key);
    for (const key of keys) expect(await deliveriesOf(key)).toMatchObject([{ state: "delivered", attempts: 1 }]);
    await importWaits();
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
  expect((await imported).lines.Account).toMatchObject({ created: 2, failed: 1 });
  expect((await deliveriesOf(keys[0])).map(({ attempts, due_in }) => [attempts, due_in === null])).toEqual([
    [0, false],
    [0, false],
    [1, true],
  ]);
});

test.each([
  ["with events", true],
  ["without", false],
])("links are made in batches, %s; after a stop the others follow, and none is told twice", async (_, emits) => {
  registerJobSender(async () => undefined);
  const migration = await createMigration(["Account"]);
  const { organizationId } = migration;
  const context = await createContext({ organizationId });
  const ParentId = sourceId("001", 9000);
  const Account = Array.from({ length: 2003 }, (_, index) =>
    sourceRecord("001", index + 1, { Name: "Child", ParentId }),
  );
  await runMigration(migration, new ScriptedSource({ Account }));
  const plan = planObject(
    "Account",
    Object.keys(Account[0] ?? {}).map((name) => ({ name, label: name, type: "string" })),
  ).main;
  /** Links until the deadline, and says how many transactions took a lock. */
  const link = async (
    isRunning: (batch: number) => boolean,
    deadline = Infinity,
    linked = new Map<string, string>(),
  ) => {
    let batches = 0;
    const lock = async () => isRunning((batches += 1));
    const isComplete = await inOrganization(organizationId, () =>
      linkSelfReferences(plan, { ...migration, runNumber: 1 }, { emits, deadline, lock, linked }),
    );
    return { batches, isComplete };
  };
  // However many records there are whose parent never comes, none locks anything.
  expect(await link(() => true)).toEqual({ batches: 0, isComplete: true });
  const parent = await run(createOperation("accounts"), context, { ...NEEDED.accounts, ext_id: ParentId });
  const key = await openWebhook(context, { url: "https://hooks.example.com/crm" });
  const linked = async () => {
    const records = Object.values(await recordsOf("accounts", organizationId));
    const deliveries = await deliveriesOf(key);
    return [
      records.filter(({ parent_account_id }) => parent_account_id === parent.id).length,
      deliveries.length,
      new Set(deliveries.map(({ type }) => type)).size,
    ];
  };
  const told = (links: number) => (emits ? [links, links, 1] : [links, 0, 0]);
  expect(await link((batch) => batch === 1)).toEqual({ batches: 2, isComplete: false });
  expect(await linked()).toEqual(told(2000));
  const found = new Map<string, string>();
  expect(await link(() => true, 0, found)).toEqual({ batches: 1, isComplete: false });
  expect(await linked()).toEqual(told(2003));
  const last = [...found.values()];
  expect(last).toEqual([expect.stringMatching(/^0/)]);
  // The next slice goes on behind these.
  expect(await link(() => true, 0, found)).toEqual({ batches: 0, isComplete: true });
  expect([...found.values()] > last).toBe(true);
});
