import { expect, test } from "vitest";

import type { ReportFacts } from "@/lib/migration/report/facts";
import { privateContacts, privateIn, privateRecords } from "@/lib/migration/report/risks/private-records";
import { SalesforceError } from "@/lib/salesforce/errors";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";

const MAPPINGS = {
  Event: { fields: [{ source: "IsPrivate" }, { source: "IsChild" }] },
  EmailMessage: { fields: [{ source: "IsPrivateDraft" }] },
};

function factsOf(mappings: object, ...objects: object[]): ReportFacts {
  const client = new ScriptedSource({
    Event: [sourceRecord("00U", 1), sourceRecord("00U", 2)],
    EmailMessage: [sourceRecord("02s", 1)],
    Attachment: [sourceRecord("00P", 1)],
  });
  return { client, mappings, survey: { objects } } as unknown as ReportFacts;
}

test("what is private in Salesforce is warned of, with its number and what to do", async () => {
  const facts = factsOf(MAPPINGS, { name: "Attachment", readable: true, count: 1 });
  expect(await privateRecords(facts)).toMatchObject([
    {
      severity: "warning",
      code: "private_records",
      object: "Event",
      count: 2,
      title: "2 private events would be seen by every member",
      recommended_action: expect.stringMatching(/^Before you start, delete in Salesforce/),
    },
    { object: "EmailMessage", title: "1 private draft of an e-mail would be seen by every member" },
    { object: "Attachment", detail: expect.stringContaining("If you have files copied") },
  ]);
});

test("what Salesforce does not count is warned of without a number", async () => {
  const facts = factsOf({ ...MAPPINGS, Contact: { fields: [{ source: "AccountId" }] } });
  (facts.client as ScriptedSource).beforeQuery = () => {
    throw new SalesforceError("source_error", "no", { status: 400, errorCode: "QUERY_TIMEOUT" });
  };
  expect(await privateRecords(facts)).toMatchObject([
    { object: "Event", count: null, title: "Any private events would be seen by every member" },
    { object: "EmailMessage", count: null, title: "Any private drafts of e-mails would be seen by every member" },
  ]);
  expect(await privateContacts(facts)).toMatchObject([{ title: "Some contacts may belong to no account" }]);
});

test("copies of private events are not counted, and nothing is asked of what the user cannot see", async () => {
  expect(privateIn({ mappings: MAPPINGS } as unknown as ReportFacts, "Event")).toEqual([
    "IsPrivate = true",
    "IsChild = false",
  ]);
  const facts = factsOf({ Event: { fields: [] } }, { name: "Attachment", readable: true, count: 0 });
  expect([await privateRecords(facts), (facts.client as ScriptedSource).requests]).toEqual([[], 0]);
});
