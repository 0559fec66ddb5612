import { expect, test } from "vitest";

import { sameOf, soughtOf } from "@/components/records/convert/same-records";
import { searchWords } from "@/lib/records/list/search-condition";

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
    { email: "ada@example.com", fields },
    { q: "ada@example.com", fields },
  ]);
});

test("a name or an address in other letters is the same, and a longer one is not", () => {
  const contacts = ["ADA@Example.com", "ada@example.com.au", null].map((email) => recordOf({ email }));
  expect(sameOf("contacts", leadOf("Neckar"), contacts)).toEqual([contacts[0]]);
  const accounts = ["NECKAR", "Neckar Pumpen"].map((name) => recordOf({ name }));
  expect(sameOf("accounts", leadOf("Neckar"), accounts)).toEqual([accounts[0]]);
});
