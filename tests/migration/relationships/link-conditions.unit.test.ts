import { expect, test } from "vitest";

import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { withoutOther } from "@/lib/migration/relationships/link-conditions";

const conditionFor = (object: SourceObjectName, field: string, parent: SourceObjectName) =>
  withoutOther(object, { field, column: "", target: "contacts", prefix: null, required: false }, parent);

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
