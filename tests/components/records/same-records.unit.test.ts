import { expect, test } from "vitest";

import { soughtOf } from "@/components/records/convert/same-records";
import { searchWords } from "@/lib/records/list/search-condition";

const leadOf = (company: string) => ({ id: "l", created_at: "", custom_fields: {}, company, email: "ada@example.com" });

test("accounts of a very long company are sought by as much of it as the API takes", () => {
  const company = "Neckar Pumpen und Armaturen ".repeat(9).trim();
  expect(searchWords.safeParse(company).success).toBe(false);
  const { q } = soughtOf("accounts", leadOf(company));
  expect(searchWords.safeParse(q).success).toBe(true);
  expect(company.startsWith(q ?? "-")).toBe(true);
});

test("a company without a letter is not sought; contacts are sought by the e-mail address", () => {
  expect(soughtOf("accounts", leadOf("—"))).toEqual({ q: "" });
  expect(soughtOf("contacts", leadOf("Neckar"))).toEqual({ email: "ada@example.com" });
});
