import { expect, test } from "vitest";

import { fitOfChoice } from "@/lib/migration/configuration/fit-of-choice";

function field(type: string, ...samples: string[]) {
  return { source: "Field__c", type, samples };
}

test.each([
  ["a text for a text", field("string", "Acme"), "name", "fits"],
  ["a number for a number", field("double", "12"), "number_of_employees", "fits"],
  ["a number with decimals for a whole one", field("double", "12.5"), "number_of_employees", "converted"],
  ["words for a number", field("string", "many", "12"), "number_of_employees", "does_not_fit"],
  ["digits for a number", field("string", "12"), "number_of_employees", "fits"],
  ["a number for a text", field("double", "12"), "name", "fits"],
  ["anything as a custom field", field("string", "Acme"), "custom_fields", "custom_field"],
  ["anything left out", field("string", "Acme"), null, "left_out"],
] as const)("a chosen target is judged by the samples: %s", (_, given, target, verdict) => {
  expect(fitOfChoice("accounts", { ...given, samples: [...given.samples] }, target)).toBe(verdict);
});

test("a chosen value counts as a fit of the picklist", () => {
  const given = { source: "Status", type: "picklist", samples: ["Zurückgestellt"] };
  expect(fitOfChoice("cases", given, "status")).toBe("does_not_fit");
  expect(fitOfChoice("cases", given, "status", { Zurückgestellt: "on_hold" })).toBe("converted");
});

test("a text takes the name of a record type, and its id stays beside it", () => {
  const given = { source: "RecordTypeId", type: "reference", samples: ["012M00000000001AAA"] };
  expect(fitOfChoice("cases", given, "subject")).toBe("converted");
});

test("without samples only a run can tell", () => {
  expect(fitOfChoice("accounts", { source: "Fax", type: "phone", samples: [] }, "phone")).toBeNull();
});
