import { expect, test } from "vitest";

import { attachTaskFields, customFieldsOfTask, taskFieldsToKeep } from "@/lib/migration/objects/email-task";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
import type { SourceRecord } from "@/lib/salesforce/query";
import { sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";

const ORGANIZATION = "01890000-0000-7000-8000-000000000000";

const [CONTACT, LEAD, USER] = [sourceId("003", 1), sourceId("00Q", 1), sourceId("005", 1)];

/** Whom an e-mail outside of cases is linked to. */
function peopleOf(fields: object) {
  const names = ["ParentId", "RelatedToId", "FromId"].map((name) => ({ name, type: "reference" }));
  const email = sourceRecord("02s", 1, { ParentId: null, RelatedToId: null, ...fields });
  const outcome = transform(planObject("EmailMessage", names), email, NOBODY, ORGANIZATION);
  if (!("row" in outcome)) throw new Error(outcome.issue.reason);
  const { contact_id: contact = null, lead_id: lead = null } = outcome.row;
  return { contact, lead };
}

test("an e-mail outside of cases belongs to the contact or lead of its task, else to the one who sent it", () => {
  expect(peopleOf({ FromId: CONTACT })).toEqual({ contact: CONTACT, lead: null });
  expect(peopleOf({ FromId: LEAD })).toEqual({ contact: null, lead: LEAD });
  expect(peopleOf({ FromId: USER })).toEqual({ contact: null, lead: null });
  const other = sourceId("00Q", 2);
  expect(peopleOf({ FromId: LEAD, "Task.WhoId": other })).toEqual({ contact: null, lead: other });
  expect(peopleOf({ FromId: LEAD, "Task.WhoId": CONTACT })).toEqual({ contact: CONTACT, lead: null });
  expect(peopleOf({ FromId: CONTACT, "Task.WhoId": LEAD })).toEqual({ contact: null, lead: LEAD });
});

test("an e-mail keeps what only its task has: custom fields, with the parts of places, and some standard ones", () => {
  const kept = ["Type", "RecordTypeId", "CallDisposition", "Outcome__c", "Place__Latitude__s", "Place__Longitude__s"];
  expect(taskFieldsToKeep(["Id", "Subject", "Status", "Account__r", ...kept])).toEqual(kept);
});

test("an e-mail keeps the name of the record type of its task beside the id", () => {
  const recordTypes = new Map([["012M00000000001AAA", "Support"]]);
  const told = (task: SourceRecord, fields = ["RecordTypeId"]) => {
    const email: SourceRecord = {};
    attachTaskFields(email, task, fields, recordTypes);
    return email["Task.RecordType.Name"];
  };
  const RecordTypeId = "012M00000000001AAA";
  expect(told({ RecordTypeId })).toBe("Support");
  expect(told({ RecordTypeId: "012M00000000009AAA" })).toBeUndefined();
  // An open task keeps its own, and of deselected tasks only the links are read.
  expect(told({ RecordTypeId, IsClosed: false })).toBeUndefined();
  expect(told({ RecordTypeId }, ["WhoId"])).toBeUndefined();
  // A run without record types of that name would remove it.
  expect(customFieldsOfTask(taskFieldsToKeep(["RecordTypeId", "RecordType.Name"]))).toContain("Task.RecordType.Name");
});
