import { beforeEach, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { phaseWarnings } from "@/lib/migration/configuration/phases";
import { registerJobSender } from "@/lib/jobs";
import { AUTOMATIC_OBJECTS, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { cancelMigration } from "@/lib/migration/runs/control-run";
import { execute } from "@/lib/operation";
import { change, contextOf, delta } from "@/tests/migration/support/delta";
import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { findMigration, startDelta, startRetry, startRun, workSlice } from "@/tests/migration/support/within";

beforeEach(() => registerJobSender(async () => undefined));

function only(...objects: SourceObjectName[]): Configuration {
  return configurationSchema.parse({
    objects: Object.fromEntries(AUTOMATIC_OBJECTS.map((name) => [name, { selected: objects.includes(name) }])),
  });
}

test("a second phase with cases and activities links to the first and imports none of it again", async () => {
  const key = await createMigration();
  const [account, contact, person] = [
    sourceId("001", 1),
    sourceId("003", 1),
    { LastName: "C", AccountId: sourceId("001", 1) },
  ];
  const source = new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "A" })],
    Contact: [sourceRecord("003", 1, person)],
    Case: [sourceRecord("500", 1, { CaseNumber: "00001001", AccountId: account, ContactId: contact })],
    CaseComment: [sourceRecord("00a", 1, { ParentId: sourceId("500", 1), CommentBody: "First" })],
    Task: [sourceRecord("00T", 1, { Subject: "T", WhoId: contact, AccountId: account })],
  });

  const first = await runMigration(key, source, { configuration: only("Account", "Contact") });
  expect(first).toMatchObject({ status: "completed", lines: { Account: { created: 1 }, Contact: { created: 1 } } });
  expect(Object.keys(first.lines)).toEqual(["Account", "Contact"]);
  const accounts = await recordsOf("accounts", key.organizationId);
  const contacts = await recordsOf("contacts", key.organizationId);

  const second = await runMigration(key, source, { configuration: only("Case", "CaseComment", "Task") });
  expect(second).toMatchObject({
    status: "completed",
    lines: { Case: { created: 1 }, CaseComment: { created: 1 }, Task: { created: 1 } },
  });
  const links = { account_id: accounts[account]?.id, contact_id: contacts[contact]?.id };
  expect(Object.values(await recordsOf("cases", key.organizationId))).toMatchObject([links]);
  expect(Object.values(await recordsOf("activities", key.organizationId))).toMatchObject([links]);
  expect(await recordsOf("accounts", key.organizationId)).toEqual(accounts);
  expect(await recordsOf("contacts", key.organizationId)).toEqual(contacts);
});

const OBJECTS = ["Account", "Contact", "Case", "CaseComment"] as const;

const phases = (chosen: Partial<Record<SourceObjectName, number>>) =>
  configurationSchema.parse({
    objects: Object.fromEntries(Object.entries(chosen).map(([name, phase]) => [name, { phase }])),
  });

const CASES_LATER = phases({ Case: 2, CaseComment: 2 });

function org(): ScriptedSource {
  return new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "A" }), sourceRecord("001", 2, { Name: "B", CreatedDate: "never" })],
    Contact: [sourceRecord("003", 1, { LastName: "C", AccountId: sourceId("001", 1) })],
    Case: [sourceRecord("500", 1, { CaseNumber: "00001001", ContactId: sourceId("003", 1) })],
    CaseComment: [sourceRecord("00a", 1, { ParentId: sourceId("500", 1), CommentBody: "First" })],
  });
}

/** Whole records only: the second account of {@link org} cannot be imported. */
function flawless(): ScriptedSource {
  const source = org();
  source.records.Account?.pop();
  return source;
}

async function viewOf({ organizationId, migrationId }: MigrationKey) {
  const { status, reconciled, objects, phases: listed } = await findMigration(organizationId, migrationId);
  return {
    status,
    reconciled,
    objects: objects.map(({ object }) => object),
    phases: Object.fromEntries(listed.map(({ phase, status: one }) => [phase, one])),
  };
}

test("a phase runs its objects only; the others are said to be open, and keep what they have", async () => {
  const key = await createMigration(OBJECTS);
  const source = org();
  const first = await runMigration(key, source, { configuration: CASES_LATER, phase: 1 });
  expect(first).toMatchObject({ status: "completed_with_errors", lines: { Account: { created: 1, failed: 1 } } });
  expect(await viewOf(key)).toEqual({
    status: "completed_with_errors",
    reconciled: true,
    objects: ["Account", "Contact"],
    phases: { 1: "done", 2: "open" },
  });
  expect(await recordsOf("cases", key.organizationId)).toEqual({});

  // That records of the first phase failed stays said, with their reasons.
  const second = await runMigration(key, source, { phase: 2 });
  expect(second).toMatchObject({
    status: "completed_with_errors",
    lines: { Account: { created: 1, failed: 1 }, Case: { created: 1 }, CaseComment: { created: 1 } },
  });
  expect(Object.keys(await issuesOf(key))).toEqual([sourceId("001", 2)]);
  expect(await viewOf(key)).toMatchObject({ objects: OBJECTS, phases: { 1: "done", 2: "done" } });
  const contacts = await recordsOf("contacts", key.organizationId);
  const cases = await recordsOf("cases", key.organizationId);
  expect(cases[sourceId("500", 1)]).toMatchObject({ contact_id: contacts[sourceId("003", 1)]?.id });

  // A phase that runs again resets its own progress only.
  source.records.Account?.pop();
  const again = await runMigration(key, source, { phase: 1 });
  expect(again).toMatchObject({
    status: "completed",
    lines: { Account: { created: 0, unchanged: 1, failed: 0 }, Case: { created: 1 } },
  });
  expect(await issuesOf(key)).toEqual({});
  // Without a phase, all run.
  const whole = await runMigration(key, source);
  expect(whole).toMatchObject({ status: "completed", lines: { Account: { unchanged: 1 }, Case: { unchanged: 1 } } });
});

test("records whose parents come in a later phase are linked when these are here", async () => {
  const key = await createMigration(OBJECTS);
  const source = flawless();
  const choices = phases({ Account: 2, Contact: 1, Case: 1, CaseComment: 1 });
  await runMigration(key, source, { configuration: choices, phase: 1 });
  const contact = (await recordsOf("contacts", key.organizationId))[sourceId("003", 1)];
  expect(contact).toMatchObject({ account_id: null, custom_fields: { AccountId: sourceId("001", 1) } });
  await runMigration(key, source, { phase: 2 });
  const account = (await recordsOf("accounts", key.organizationId))[sourceId("001", 1)];
  const linked = (await recordsOf("contacts", key.organizationId))[sourceId("003", 1)];
  expect(linked?.account_id).toBe(account?.id);
  expect(linked?.custom_fields).not.toHaveProperty("AccountId");
});

test("a phase that failed is not hidden by a later one that did not", async () => {
  const key = await createMigration(OBJECTS);
  const source = flawless();
  source.beforeQuery = (soql) => {
    if (/FROM Contact .*LIMIT/.test(soql)) throw new Error("A fault that does not pass.");
  };
  const first = await runMigration(key, source, { configuration: CASES_LATER, phase: 1 });
  expect([first.status, (await viewOf(key)).phases]).toEqual(["failed", { 1: "failed", 2: "open" }]);
  source.beforeQuery = () => undefined;
  const second = await runMigration(key, source, { phase: 2 });
  expect(second).toMatchObject({
    status: "failed",
    failure: { code: "not_reconciled", detail: expect.stringContaining("Contacts") as unknown },
    lines: { Case: { status: "done", created: 1 } },
  });
  expect(await viewOf(key)).toMatchObject({ reconciled: false, phases: { 1: "failed", 2: "done" } });
  expect(await runMigration(key, source, { phase: 1 })).toMatchObject({ status: "completed" });
  expect(await viewOf(key)).toMatchObject({ reconciled: true, phases: { 1: "done", 2: "done" } });
});

/** Begins a delta or a retry, and cancels it after its first slice. */
async function cancelBegun(start: typeof startDelta, key: MigrationKey, source: ScriptedSource): Promise<void> {
  const run = await transaction((client) => start(client, key));
  expect(await workSlice(run, async () => source, 0)).toBe("more");
  await execute(cancelMigration, contextOf(key), { migration_id: key.migrationId });
}

test("a retry that was cancelled keeps no other phase back", async () => {
  const key = await createMigration(OBJECTS);
  await runMigration(key, org(), { configuration: CASES_LATER, phase: 1 });
  await cancelBegun(startRetry, key, org());
  expect(await runMigration(key, org(), { phase: 2 })).toMatchObject({
    status: "completed_with_errors",
    lines: { Account: { status: "done", created: 1, failed: 1 }, Case: { created: 1 } },
  });
});

test("a delta that was cancelled keeps no other phase back, and the next one begins where it did", async () => {
  const key = await createMigration(OBJECTS);
  const source = flawless();
  source.now = new Date();
  source.now.setUTCMilliseconds(0);
  await runMigration(key, source, { configuration: CASES_LATER, phase: 1 });
  source.now = new Date(source.now.getTime() + 3_600_000);
  change(source, "Contact", 0, { LastName: "Changed" });
  source.now = new Date(source.now.getTime() + 3_600_000);
  await cancelBegun(startDelta, key, source);
  expect(await runMigration(key, source, { phase: 2 })).toMatchObject({
    status: "completed",
    lines: { Account: { status: "done" }, Contact: { status: "done", source: 0 }, Case: { created: 1 } },
  });
  expect(await viewOf(key)).toMatchObject({ reconciled: true, phases: { 1: "done", 2: "done" } });
  expect(await delta(key, source)).toMatchObject({ status: "completed", lines: { Contact: { updated: 1 } } });
});

test("a phase without objects is refused, and the phases that there are, are named", async () => {
  const key = await createMigration(OBJECTS);
  await expect(transaction((client) => startRun(client, key, CASES_LATER, 3))).rejects.toMatchObject({
    code: "invalid_request",
    message: "No selected object is in phase 3; there are objects in phase 1, 2.",
  });
  expect(await viewOf(key)).toMatchObject({ status: "ready", phases: {} });
});

const field = (source: string, type: string, target: string) => ({ source, type, target });
const entry = (object: string, ...fields: object[]) => ({ object, status: "automatic", fields });

test("what comes before its parents is warned of, once per object that it names", () => {
  const inventory = [
    entry("Account"),
    entry("Contact", field("AccountId", "reference", "account_id")),
    entry("Case", field("AccountId", "reference", "account_id"), field("ContactId", "reference", "contact_id")),
    entry("CaseComment", field("ParentId", "reference", "case_id")),
  ] as never;
  const warned = (choices: Configuration) =>
    phaseWarnings({ inventory }, choices).map(({ pointer, detail }) => `${pointer} ${detail}`);
  expect(warned(CASES_LATER)).toEqual([]);
  expect(warned(phases({ Account: 2, Case: 3, CaseComment: 2 }))).toEqual([
    expect.stringMatching(/^\/objects\/Contact\/phase .*Accounts.*links stay empty/),
    expect.stringMatching(/^\/objects\/CaseComment\/phase .*Cases.*they fail/),
  ]);
});
