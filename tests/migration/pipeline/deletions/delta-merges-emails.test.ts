import { beforeEach, expect, test } from "vitest";

import { registerJobSender } from "@/lib/jobs";
import { delta, imported, merge, source } from "@/tests/migration/support/delta";
import { recordsOf } from "@/tests/migration/support/run-migration";
import { sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";

beforeEach(() => registerJobSender(async () => undefined));

test("an e-mail without a case follows the account that its own was merged into", async () => {
  const org = source();
  const email = sourceRecord("02s", 9, { TextBody: "Mail", ParentId: null, RelatedToId: sourceId("001", 1) });
  org.records.EmailMessage = [email];
  const key = await imported(org, ["Account", "EmailMessage"]);
  merge(org, "Account", { EmailMessage: "RelatedToId" });
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { EmailMessage: { updated: 1 } } });
  const kept = (await recordsOf("accounts", key.organizationId))[sourceId("001", 2)]?.id;
  expect(await recordsOf("activities", key.organizationId)).toMatchObject({
    [sourceId("02s", 9)]: { account_id: kept },
  });
});

test("e-mails follow merged accounts and contacts that only their tasks or senders name", async () => {
  const org = source();
  const [ofTask, ofSender] = [sourceId("02s", 8), sourceId("02s", 9)];
  const first = { AccountId: sourceId("001", 1), WhoId: sourceId("003", 1) };
  const mail = { TextBody: "Mail", ParentId: null, RelatedToId: null };
  org.records.Contact = [1, 2].map((number) => sourceRecord("003", number, { LastName: `Contact ${number}` }));
  org.records.Task = [sourceRecord("00T", 8, { Subject: "Email", IsClosed: true, ...first })];
  org.records.EmailMessage = [
    sourceRecord("02s", 8, { ...mail, ActivityId: sourceId("00T", 8), FromId: null }),
    sourceRecord("02s", 9, { ...mail, ActivityId: null, FromId: first.WhoId }),
  ];
  const key = await imported(org, ["Account", "Contact", "EmailMessage", "Task"]);
  merge(org, "Account", { Task: "AccountId" });
  merge(org, "Contact", { Task: "WhoId", EmailMessage: "FromId" });
  expect(await delta(key, org)).toMatchObject({ status: "completed", failure: null });
  const idOf = async (resource: string, extId: string) => (await recordsOf(resource, key.organizationId))[extId]?.id;
  const contact_id = await idOf("contacts", sourceId("003", 2));
  expect(await recordsOf("activities", key.organizationId)).toMatchObject({
    [ofTask]: { contact_id, account_id: await idOf("accounts", sourceId("001", 2)) },
    [ofSender]: { contact_id },
  });
});

test("the contact that an e-mail keeps of its task follows a merge, though the sender is hidden", async () => {
  const org = source();
  const [lost, kept] = [sourceId("003", 1), sourceId("003", 2)];
  org.records.Task = [sourceRecord("00T", 8, { Subject: "Email", IsClosed: true, WhoId: lost })];
  const email = { TextBody: "Mail", ParentId: sourceId("500", 1), RelatedToId: null, ActivityId: sourceId("00T", 8) };
  org.records.EmailMessage = [sourceRecord("02s", 8, email)];
  const key = await imported(org, ["Contact", "Case", "EmailMessage", "Task"]);
  merge(org, "Contact", { Task: "WhoId" });
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { EmailMessage: { updated: 1 } } });
  expect(await recordsOf("case_comments", key.organizationId)).toMatchObject({
    [sourceId("02s", 8)]: { custom_fields: { "Task.WhoId": kept } },
  });
});

test("the tasks of a merged account are read in pages, each with its e-mails", async () => {
  const org = source();
  const numbers = Array.from({ length: 450 }, (_, index) => index + 1);
  org.records.Task = numbers.map((number) =>
    sourceRecord("00T", number, { Subject: "Email", IsClosed: true, AccountId: sourceId("001", 1) }),
  );
  const mail = { TextBody: "Mail", ParentId: null, RelatedToId: null };
  org.records.EmailMessage = numbers.map((number) =>
    sourceRecord("02s", number, { ...mail, ActivityId: sourceId("00T", number) }),
  );
  const key = await imported(org, ["Account", "EmailMessage"]);
  merge(org, "Account", { Task: "AccountId" });
  const asked: string[] = [];
  org.beforeQuery = (soql) => {
    const [, object = "", by = ""] = /FROM (Task|EmailMessage) .*\b(AccountId|ActivityId) IN/.exec(soql) ?? [];
    if (by) asked.push(`${object} ${/LIMIT (\d+)/.exec(soql)?.[1]}`);
  };
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { EmailMessage: { updated: 450 } } });
  expect(asked.filter((one) => one.startsWith("Task"))).toEqual(["Task 400", "Task 400"]);
  const account_id = (await recordsOf("accounts", key.organizationId))[sourceId("001", 2)]?.id;
  const emails = Object.values(await recordsOf("activities", key.organizationId));
  expect(emails.filter((email) => email.account_id === account_id)).toHaveLength(450);
});
