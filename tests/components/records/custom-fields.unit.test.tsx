import { MantineProvider } from "@mantine/core";
import { useForm } from "@mantine/form";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { isTechnical } from "@/components/records/fields/technical-fields";
import { customFieldLabel } from "@/components/records/fields/custom-field-label";
import { customFieldValue } from "@/components/records/fields/custom-field-value";
import { CustomFields, FromSalesforce } from "@/components/records/fields/custom-fields";
import { RecordFields } from "@/components/records/form/record-fields";
import { type FormValues, valuesOf } from "@/components/records/form/record-values";
import type { AnyRecord } from "@/components/records/record";
import { markupOf } from "@/tests/components/support/app-router";

/** A record with these custom fields. */
const withFields = (custom_fields: AnyRecord["custom_fields"]): AnyRecord => ({
  id: "a",
  created_at: "2026-01-01T00:00:00.000Z",
  custom_fields,
});

/** One that came from Salesforce. */
const imported = (custom_fields: AnyRecord["custom_fields"]): AnyRecord => ({
  ...withFields(custom_fields),
  ext_id: "500Hs00001000001AAA",
});

describe("a custom field", () => {
  test.each([
    ["Severity_Score__c", "Severity score"],
    ["SLA_Deadline__c", "SLA deadline"],
    ["LinkedIn__c", "LinkedIn"],
    ["fleet__Vehicle__c", "Vehicle"],
    ["Loyalty_Number__pc", "Loyalty number"],
    ["LastActivityDate", "Last activity date"],
    ["Task.Outcome__c", "Task: outcome"],
    ["Task.SLA_Met__c", "Task: SLA met"],
    ["__c", "__c"],
    [".", "."],
    [".Region", "Region"],
  ])("%s is labelled %s", (name, label) => {
    expect(customFieldLabel(name)).toBe(label);
  });

  test("is formatted as other fields are", () => {
    expect(customFieldValue("Is_Strategic__c", false)).toBe("No");
    expect(customFieldValue("Contract_Value__c", 3323765.72)).toBe("3,323,765.72");
    expect(customFieldValue("FiscalYear", 2024)).toBe("2024");
    expect(customFieldValue("Regions__c", "APAC;DACH")).toBe("APAC · DACH");
    expect(renderToStaticMarkup(customFieldValue("Renewal_Date__c", "1986-04-19"))).toBe(
      '<time dateTime="1986-04-19">Apr 19, 1986</time>',
    );
    expect(renderToStaticMarkup(customFieldValue("SLA__c", "2024-08-04T13:58:43.000+0000"))).toContain("2024, ");
  });

  test("keeps text that only resembles a date or a list", () => {
    for (const text of [
      "2024-99-99",
      "if (a) { b; c; }",
      "a; b",
      "boss@corp.example; jane@corp.example",
      "one;\ntwo",
    ]) {
      expect(customFieldValue("Notes__c", text)).toBe(text);
    }
    expect(customFieldValue("ToAddress", "a@x.example;b@x.example")).toBe("a@x.example;b@x.example");
  });
});

test("what an e-mail brings reads as words and links, never as codes or JSON", () => {
  const url = "https://acme.my.salesforce.com/servlet/servlet.FileDownload?file=00P1";
  const values = { Status: "4", Attachments: [{ ext_id: "00P1", name: "plan.pdf", size: 4200, url }] };
  const shown = (resource: "case_comments" | "cases") =>
    renderToStaticMarkup(
      <MantineProvider>
        <CustomFields resource={resource} item={imported(values)} />
      </MantineProvider>,
    );
  expect(shown("case_comments")).toContain("Forwarded");
  expect(shown("case_comments")).toContain("plan.pdf (4.2 kB)");
  expect(shown("case_comments")).toContain(`href="${url.replace("&", "&amp;")}"`);
  expect(shown("case_comments")).not.toContain("ext_id");
  // A case has a status of its own.
  expect(shown("cases")).not.toContain("Forwarded");
});

test("files with names and addresses that are no texts, as any client may write them, do not end the page", () => {
  const odd = { toString: 1, valueOf: 1 };
  const Attachments = [{ name: odd, url: odd, size: odd }, null, { name: "plan.pdf" }];
  const shown = renderToStaticMarkup(
    <MantineProvider>
      <CustomFields resource="cases" item={imported({ Attachments })} />
    </MantineProvider>,
  );
  expect(shown).toContain("<bdi>File</bdi>");
  expect(shown).toContain("<bdi>plan.pdf</bdi>");
});

test("the people of an activity read as names with their answers, never as JSON", () => {
  const RespondedDate = "2025-11-03T09:00:00.000+0000";
  const ada = { Id: "0RE1", Type: "User", Name: "Ada Byron", IsInvitee: true, Status: "Accepted", RespondedDate };
  const jo = { Id: "0RE2", Type: "Contact", Name: "Jo Li", IsInvitee: true, Status: "New", Response: "Late" };
  const kim = { Id: "0RE3", Type: "Contact", Name: "Kim", IsInvitee: false, Status: "New" };
  const hidden = { Id: "0RE4", RelationId: "00QA", IsInvitee: true };
  const EventRelations = [ada, jo, kim, hidden, null, { Id: "0RE5", Name: { no: "text" }, Type: 5, Response: [] }];
  const shown = renderToStaticMarkup(
    <MantineProvider>
      <CustomFields resource="activities" item={imported({ EventRelations })} />
    </MantineProvider>,
  );
  expect(shown).toContain('<bdi>Ada Byron</bdi> (user), accepted <time dateTime="2025-11-03T09:00:00.000+0000">');
  expect(shown).toContain("<bdi>Jo Li</bdi> (contact), no answer yet: <bdi>Late</bdi></div>");
  expect(shown).toContain("<bdi>Kim</bdi> (contact)</div>");
  expect(shown).toContain("<bdi>00QA</bdi></div>");
  expect(shown).not.toContain("RelationId");
});

test("the recipients of an e-mail read as names with how they got it", () => {
  const EmailMessageRelations = [{ Id: "0CZ1", Type: "Contact", Name: "Jo Li", RelationType: "CcAddress" }];
  const shown = renderToStaticMarkup(
    <MantineProvider>
      <CustomFields resource="case_comments" item={imported({ EmailMessageRelations })} />
    </MantineProvider>,
  );
  expect(shown).toContain("<bdi>Jo Li</bdi> (contact), cc</div>");
});

test("ids of Salesforce records are folded, apart from what people filled in", () => {
  const isFolded = (name: string, value: unknown) => isTechnical(imported({ [name]: value }), name);
  expect(isFolded("OwnerId", "005Hs000003000BIAQ")).toBe(true);
  expect(isFolded("RecordTypeId", "012Hs0000030001")).toBe(true);
  expect(isFolded("IsPersonAccount", false)).toBe(true);
  expect(isFolded("Primary_Contact__c", "003Hs00000300MaIAI")).toBe(false);
  expect(isFolded("TaxId", "DE 123456789")).toBe(false);
  const values = { OwnerId: "005Hs000003000BIAQ", "Owner.Name": "Vera", Regions__c: "DACH", Status: "Parked" };
  const page = renderToStaticMarkup(
    <MantineProvider>
      <CustomFields resource="cases" item={imported(values)} />
      <FromSalesforce resource="cases" item={imported(values)} />
    </MantineProvider>,
  );
  expect(page).toContain('<dt title="Regions__c">Regions</dt>');
  expect(page).toContain('<dt title="Status">Status in Salesforce</dt>');
  expect(page).not.toContain("005Hs000003000BIAQ");
  expect(page).not.toContain("Vera");
  expect(page).toContain("1 value");
});

/** The custom fields of a case, as its page shows them. */
const customFieldsOf = (item: AnyRecord) =>
  renderToStaticMarkup(
    <MantineProvider>
      <CustomFields resource="cases" item={item} />
    </MantineProvider>,
  );

test("a field that somebody added here stays among the custom fields, under its own name", () => {
  const values = { VIP: false, "Wants a visit": false, Status: "Parked" };
  for (const shown of [customFieldsOf(imported(values)), customFieldsOf(withFields(values))]) {
    expect(shown).toContain('<dt title="VIP">VIP</dt>');
    expect(shown).toContain('<dt title="Wants a visit">Wants a visit</dt>');
  }
  expect(customFieldsOf(withFields({ IsUrgent: false }))).toContain('<dt title="IsUrgent">');
  expect(customFieldsOf(withFields(values))).toContain('<dt title="Status">Status</dt>');
  expect(customFieldsOf(imported({ Status__c: "Parked" }))).toContain(
    '<dt title="Status__c">Status in Salesforce</dt>',
  );
});

function FormOf({ item }: { item: AnyRecord }) {
  const form = useForm<FormValues>({ initialValues: valuesOf("accounts", item) });
  return <RecordFields resource="accounts" form={form} item={item} />;
}

test("a form has an input for each custom field: long texts get several lines, lists are only shown", () => {
  const custom_fields = {
    Renewal_Tier__c: "gold",
    Phone: "030",
    Notes__c: "It leaks. ".repeat(20),
    Is_Strategic__c: true,
    Renewal_Date__c: "1986-04-19",
    Regions: ["DACH"],
    RecordTypeId: "012Hs0000030001",
  };
  const form = markupOf(<FormOf item={imported(custom_fields)} />);
  const fields = form.slice(form.indexOf("Custom fields"));
  expect(fields).toMatch(/<input[^>]* title="Renewal_Tier__c"[^>]* value="gold"/);
  expect(fields).toContain("Phone in Salesforce");
  expect(fields).toMatch(/<textarea[^>]* title="Notes__c"/);
  expect(fields).toMatch(/<select[^>]* title="Is_Strategic__c"/);
  expect(fields).toMatch(
    /<input[^>]* title="Renewal_Date__c"[^>]* type="date"|type="date"[^>]* title="Renewal_Date__c"/,
  );
  expect(fields).toContain("[&quot;DACH&quot;]");
  expect(fields).not.toContain("RecordTypeId");
  expect(fields).toContain("Add a custom field");
});
