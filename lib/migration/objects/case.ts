import { exact, likely, type SourceObject, textOf } from "@/lib/migration/objects/declaration";

export const supportCase: SourceObject = {
  name: "Case",
  label: "case",
  resource: "cases",
  fields: {
    AccountId: exact("account_id"),
    ContactId: exact("contact_id"),
    ParentId: exact("parent_case_id"),
    Subject: exact("subject"),
    Description: exact("description"),
    Status: likely("status", "Matched value by value; a value that reads differently is kept as a custom field as well."),
    Priority: likely("priority", "Matched value by value; a value that reads differently is kept as a custom field as well."),
    Type: exact("type"),
    Origin: exact("origin"),
    Reason: exact("reason"),
    IsEscalated: exact("is_escalated"),
    ClosedDate: exact("closed_at"),
    SuppliedName: exact("supplied_name"),
    SuppliedEmail: exact("supplied_email"),
  },
  ruled: {
    CaseNumber: exact(
      "case_number",
      "A number that another case has, or had before it was deleted, is kept as a custom field, and a new one is issued.",
    ),
  },
  placeholders: { subject: "(no subject)" },
  sets: ["case_number"],
  // Can only be written. What a case repeats of its contact is kept: the contact itself may be deleted, or hidden from the Salesforce user.
  leftOut: ["Comments"],
  refine(record, draft) {
    draft.columns.case_number = textOf(record, "CaseNumber");
    draft.columns.status ??= record.IsClosed === true ? "closed" : "new";
  },
};
