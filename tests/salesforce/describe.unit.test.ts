import { expect, test } from "vitest";

import { type GlobalObject, holdsData } from "@/lib/salesforce/describe";

const object = (name: string, more: Partial<GlobalObject> = {}) =>
  ({ name, label: name, custom: false, customSetting: false, queryable: true, ...more }) as GlobalObject;

test("objects hold data that have pages or triggers, and those that people fill on the pages of others", () => {
  const found = [
    object("Asset", { layoutable: true }),
    object("OpportunityLineItem", { triggerable: true }),
    object("CaseTeamMember"),
    object("CaseContactRole"),
    object("CaseStatus"),
    object("CaseTeamTemplate"),
    object("AccountShare", { triggerable: true, associateEntityType: "Share" }),
  ].filter(holdsData);
  expect(found.map(({ name }) => name)).toEqual(["Asset", "OpportunityLineItem", "CaseTeamMember", "CaseContactRole"]);
});
