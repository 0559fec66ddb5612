import { expect, test } from "vitest";

import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { ObjectReport } from "@/lib/migration/report/report-schema";
import { type Seen, selectedEmails } from "@/lib/migration/relationships/copies-of-emails";
import { linkConditions, withoutOther } from "@/lib/migration/relationships/link-conditions";

const conditionFor = (object: SourceObjectName, field: string, parent: SourceObjectName) =>
  withoutOther(object, { field, column: "", target: "contacts", prefix: null, required: false }, parent);

/** A run that reads e-mails, whose user sees these fields of them. */
function emailsWith(...fields: string[]): Seen {
  const report = { fields: fields.map((source) => ({ source })) } as unknown as ObjectReport;
  return { selected: new Map([["EmailMessage", report]]) };
}

test("an e-mail of a case that only RelatedToId names has no links of an activity", () => {
  const link = { field: "FromId", column: "contact_id", target: "contacts", prefix: "003", required: false } as const;
  const outside = (seen: Seen) => linkConditions(seen, "EmailMessage", link).slice(2);
  const apart = "(RelatedToId = null OR RelatedToId < '500000000000000' OR RelatedToId >= '501000000000000')";
  expect(outside(emailsWith("ParentId", "RelatedToId"))).toEqual(["ParentId = null", apart]);
  expect(selectedEmails(emailsWith("ParentId", "RelatedToId"))).toEqual(["ParentId = null", apart]);
  expect(outside(emailsWith("ParentId"))).toEqual(["ParentId = null"]);
});

test("a link to another object is compared with the ids of that object", () => {
  expect(conditionFor("Case", "ContactId", "Contact")).toBe(
    "ContactId NOT IN (SELECT Id FROM Contact WHERE IsDeleted = false)",
  );
});

test.each([
  ["ReportsToId", "ReportsTo"],
  ["Mentor__c", "Mentor__r"],
  ["crm__Mentor__c", "crm__Mentor__r"],
  ["Mentor__pc", "Mentor__pr"],
])("a link by %s to the object itself goes through %s", (field, relationship) => {
  expect(conditionFor("Contact", field, "Contact")).toBe(
    `(${relationship}.Id = null OR ${relationship}.IsDeleted = true)`,
  );
});
