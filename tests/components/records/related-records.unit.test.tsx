import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { backFrom, CreateRecord } from "@/components/records/form/create-record";
import { RelatedRecords } from "@/components/records/related-records";
import { givenValues, givingReference, shownRelations, valuesFrom } from "@/components/records/relations";
import { markupOf } from "@/tests/components/support/app-router";

const [CONTACT, ACCOUNT] = ["01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002"] as const;

const item = { id: CONTACT, created_at: "", custom_fields: {}, account_id: ACCOUNT };

test("what is added to a record begins with the account and the contact of that: it is about the same customer", () => {
  expect(valuesFrom("activities", "contact_id", item)).toEqual({ contact_id: CONTACT, account_id: ACCOUNT });
  const theCase = { ...item, id: "1", contact_id: CONTACT };
  expect(valuesFrom("activities", "case_id", theCase)).toEqual({
    case_id: "1",
    account_id: ACCOUNT,
    contact_id: CONTACT,
  });
  expect(valuesFrom("activities", "case_id", { ...theCase, contact_id: null })).not.toHaveProperty("contact_id");
  expect(valuesFrom("contacts", "reports_to_id", theCase)).toEqual({ reports_to_id: "1", account_id: ACCOUNT });
});

test("a case or a deal that is given a contact begins with its account as well, wherever it is started", () => {
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.record("contacts", CONTACT), item);
  queries.setQueryData(queryKeys.record("accounts", ACCOUNT), { id: ACCOUNT, name: "Neckar" });
  for (const resource of ["cases", "opportunities"] as const)
    expect(markupOf(<CreateRecord resource={resource} given={{ contact_id: CONTACT }} />, queries)).toContain("Neckar");
});

test("a link of a record's page tells that the form leads back to it", () => {
  const queries = new QueryClient();
  for (const { from, field } of shownRelations("contacts"))
    queries.setQueryData(queryKeys.related(from.resource, field, CONTACT), { data: [], total: 0 });
  const page = markupOf(<RelatedRecords resource="contacts" id={CONTACT} />, queries).replaceAll("&amp;", "&");
  for (const resource of ["cases", "opportunities"])
    expect(page).toContain(`href="/${resource}/new?contact_id=${CONTACT}&from=record"`);
});

test("what an address gives as a reference and is no id is left out", () => {
  const given = { account_id: "../settings/organization/export", owner_id: "me", contact_id: CONTACT, subject: "../x" };
  expect(givenValues("cases", given)).toEqual({ contact_id: CONTACT, subject: "../x" });
});

test("only a reference to what may have the customer is read for a new record", () => {
  expect(givingReference("cases", { contact_id: CONTACT })).toMatchObject({ target: "contacts" });
  expect(givingReference("cases", { account_id: CONTACT })).toBeNull();
});

test("who creates nothing goes back to the record on whose page they began, or to the list", () => {
  const from = "record";
  expect(backFrom("cases", { contact_id: CONTACT, from })).toBe(`/contacts/${CONTACT}`);
  expect(backFrom("cases", { contact_id: CONTACT })).toBe("/cases");
  expect(backFrom("cases", { owner_id: CONTACT, subject: "x", contact_id: "nothing", from })).toBe("/cases");
  expect(backFrom("cases", {})).toBe("/cases");
});
