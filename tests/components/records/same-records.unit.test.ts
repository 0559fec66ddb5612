import { QueryClient } from "@tanstack/react-query";
import { createElement } from "react";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { SameRecords, sameOf, soughtOf } from "@/components/records/convert/same-records";
import { searchWords } from "@/lib/records/list/search-condition";
import { markupOf } from "@/tests/components/support/app-router";

const recordOf = (fields: object) => ({ id: "1", created_at: "", custom_fields: {}, ...fields });

const leadOf = (company: string) => recordOf({ company, email: "ada@example.com" });

test("accounts of a very long company are sought by as much of it as the API takes", () => {
  const company = "Neckar Pumpen und Armaturen ".repeat(9).trim();
  expect(searchWords.safeParse(company).success).toBe(false);
  const [{ q = "" } = {}, ...more] = soughtOf("accounts", leadOf(company));
  expect(searchWords.safeParse(q).success).toBe(true);
  expect(company.startsWith(q)).toBe(true);
  expect(more).toEqual([]);
});

test("a company without a letter is not sought; contacts are sought by the e-mail address, also as it is", () => {
  expect(soughtOf("accounts", leadOf("—"))).toEqual([]);
  const fields = "first_name,last_name,email";
  expect(soughtOf("contacts", leadOf("Neckar"))).toMatchObject([
    { email: "ada@example.com", fields, expand: "account" },
    { q: "ada@example.com", fields, expand: "account" },
  ]);
});

test("a name or an address in other letters is the same, and a longer one is not", () => {
  const contacts = ["ADA@Example.com", "ada@example.com.au", null].map((email) => recordOf({ email }));
  expect(sameOf("contacts", leadOf("Neckar"), contacts)).toEqual([contacts[0]]);
  const accounts = ["NECKAR", "Neckar Pumpen"].map((name) => recordOf({ name }));
  expect(sameOf("accounts", leadOf("Neckar"), accounts)).toEqual([accounts[0]]);
});

/** The buttons by which one of these records is used for a lead. */
function buttonsFor(resource: "accounts" | "contacts", found: object[]): string[] {
  const lead = leadOf("Twin Ltd");
  const sought = soughtOf(resource, lead).map((each) => new URLSearchParams(each).toString());
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.records(resource, `same as lead: ${sought.join(" ")}`), found);
  const markup = markupOf(createElement(SameRecords, { resource, lead, onUse: () => undefined }), queries);
  return [...markup.matchAll(/<button.*?<\/button>/g)].map(([button]) => button.replaceAll(/<[^>]*>/g, ""));
}

test("records of the same name are told apart before one is used", () => {
  const twins = ["Oslo", "Bergen"].map((billing_city) =>
    recordOf({ id: billing_city, name: "Twin Ltd", billing_city }),
  );
  expect(buttonsFor("accounts", twins)).toEqual(["Use Twin Ltd · Oslo", "Use Twin Ltd · Bergen"]);
  const ada = { last_name: "King", email: "ada@example.com" };
  const people = ["Neckar", "Isar"].map((name) => recordOf({ ...ada, id: name, account: { id: name, name } }));
  expect(buttonsFor("contacts", people)).toEqual([
    "Use King · Neckar · ada@example.com",
    "Use King · Isar · ada@example.com",
  ]);
  expect(buttonsFor("accounts", [recordOf({ name: "Twin Ltd", billing_city: null })])).toEqual(["Use Twin Ltd"]);
});
