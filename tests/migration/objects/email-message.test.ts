import { expect, test } from "vitest";

import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";

test("a draft on a case is internal, however visible it would be once it is sent", async () => {
  const key = await createMigration(["Case", "EmailMessage"]);
  const visible = { ParentId: sourceId("500", 1), TextBody: "Hello", IsExternallyVisible: true };
  const source = new ScriptedSource({
    Case: [sourceRecord("500", 1, { Subject: "S" })],
    EmailMessage: [
      sourceRecord("02s", 1, { ...visible, Status: "5" }),
      sourceRecord("02s", 2, { ...visible, Status: "3" }),
    ],
  });
  await runMigration(key, source);
  expect(await recordsOf("case_comments", key.organizationId)).toMatchObject({
    [sourceId("02s", 1)]: { is_public: false, custom_fields: { Status: "5", IsExternallyVisible: true } },
    [sourceId("02s", 2)]: { is_public: true, custom_fields: { Status: "3" } },
  });
});

/** E-mails about an opportunity, which is not imported, of which Salesforce has derived the account in their Tasks. */
function emailsOfADeal(): ScriptedSource {
  const about = { ParentId: null, RelatedToId: sourceId("006", 1), TextBody: "Offer" };
  const task = { Subject: "Email: Offer", TaskSubtype: "Email", AccountId: sourceId("001", 1) };
  return new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "Account" })],
    Contact: [],
    Case: [],
    CaseComment: [],
    Event: [],
    EmailMessage: [
      sourceRecord("02s", 1, { ...about, ActivityId: sourceId("00T", 1) }),
      sourceRecord("02s", 2, { ...about, ActivityId: sourceId("00T", 2) }),
      sourceRecord("02s", 3, { ...about, ActivityId: sourceId("00T", 3) }),
    ],
    Task: [
      sourceRecord("00T", 1, { ...task, IsClosed: true }),
      sourceRecord("00T", 2, { ...task, IsClosed: false }),
      sourceRecord("00T", 3, { ...task, IsClosed: true, AccountId: sourceId("001", 9) }),
    ],
  });
}

test("an e-mail about an opportunity belongs to its account, which only the task names", async () => {
  for (const selected of [true, false]) {
    const key = await createMigration();
    await runMigration(key, emailsOfADeal(), {
      configuration: { objects: { Task: { selected, fields: {}, values: {} } } },
    });
    const account = (await recordsOf("accounts", key.organizationId))[sourceId("001", 1)]?.id;
    const activities = await recordsOf("activities", key.organizationId);
    for (const number of [1, 2])
      expect(activities[sourceId("02s", number)]).toMatchObject({
        account_id: account,
        custom_fields: { RelatedToId: sourceId("006", 1) },
      });
    expect(activities[sourceId("02s", 3)]).toMatchObject({
      account_id: null,
      custom_fields: { AccountId: sourceId("001", 9) },
    });
  }
});
