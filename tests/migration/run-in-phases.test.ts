import { expect, test } from "vitest";

import { type Configuration, configuration } from "@/lib/migration/configuration/configuration-schema";
import { MIGRATED_OBJECTS, type MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";

function only(...objects: MigratedObjectName[]): Configuration {
  return configuration.parse({
    objects: Object.fromEntries(MIGRATED_OBJECTS.map((name) => [name, { selected: objects.includes(name) }])),
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
