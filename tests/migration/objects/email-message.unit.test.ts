import { expect, test } from "vitest";

import { taskFieldsToKeep } from "@/lib/migration/objects/email-task";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
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
