import { event, task } from "@/lib/migration/objects/activities";
import { exact, type SourceObject, type Mapping, likely, textOf } from "@/lib/migration/objects/declaration";
import { emailMessage } from "@/lib/migration/objects/email-message";
import { feedComment, feedItem } from "@/lib/migration/objects/feed";
import { lead } from "@/lib/migration/objects/lead";
import { settleStatus, VALUE_BY_VALUE } from "@/lib/migration/objects/refine-steps";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { opportunity } from "@/lib/migration/objects/opportunity";
import { product } from "@/lib/migration/objects/product";

/** A person account is imported as an account, and its contact with the object Contact. */
const account: SourceObject = {
  name: "Account",
  label: "account",
  resource: "accounts",
  fields: {
    Name: exact("name"),
    Type: exact("type"),
    Industry: exact("industry"),
    Website: exact("website"),
    Phone: exact("phone"),
    AnnualRevenue: exact("annual_revenue"),
    CurrencyIsoCode: exact("currency"),
    NumberOfEmployees: exact("number_of_employees"),
    AccountNumber: exact("account_number"),
    Rating: exact("rating"),
    Ownership: exact("ownership"),
    Description: exact("description"),
    ParentId: exact("parent_account_id"),
    ...address("Billing", "billing"),
    ...address("Shipping", "shipping"),
  },
  fixed: {},
  placeholders: { name: "(no name)" },
  computed: {},
  ignoredFields: [],
  ruleFields: [],
};

const contact: SourceObject = {
  name: "Contact",
  label: "contact",
  resource: "contacts",
  fields: {
    AccountId: exact("account_id"),
    Salutation: exact("salutation"),
    FirstName: exact("first_name"),
    LastName: exact("last_name"),
    Email: exact("email"),
    Phone: exact("phone"),
    MobilePhone: exact("mobile_phone"),
    HomePhone: exact("home_phone"),
    Title: exact("title"),
    Department: exact("department"),
    ReportsToId: exact("reports_to_id"),
    LeadSource: exact("lead_source"),
    Birthdate: exact("birthdate"),
    DoNotCall: exact("do_not_call"),
    HasOptedOutOfEmail: exact("email_opt_out"),
    Description: exact("description"),
    ...address("Mailing", "mailing"),
    ...address("Other", "other"),
  },
  fixed: {},
  placeholders: { last_name: "(no name)" },
  computed: {},
  // Consists of Salutation, FirstName and LastName.
  ignoredFields: ["Name"],
  ruleFields: [],
};

/**
 * The five parts of an address: `BillingStreet` → `billing_street` and so on. Latitude and longitude go to
 * `custom_fields`.
 */
function address(source: string, target: string): Record<string, Mapping> {
  return {
    [`${source}Street`]: exact(`${target}_street`),
    [`${source}City`]: exact(`${target}_city`),
    [`${source}State`]: exact(`${target}_state`),
    [`${source}PostalCode`]: exact(`${target}_postal_code`),
    [`${source}Country`]: exact(`${target}_country`),
  };
}

const supportCase: SourceObject = {
  name: "Case",
  label: "case",
  resource: "cases",
  fields: {
    AccountId: exact("account_id"),
    ContactId: exact("contact_id"),
    ParentId: exact("parent_case_id"),
    Subject: exact("subject"),
    Description: exact("description"),
    Status: likely("status", `${VALUE_BY_VALUE} A closed case is closed or resolved, an open one is not closed.`),
    Priority: likely("priority", VALUE_BY_VALUE),
    Type: exact("type"),
    Origin: exact("origin"),
    Reason: exact("reason"),
    IsEscalated: exact("is_escalated"),
    ClosedDate: exact("closed_at"),
    SuppliedName: exact("supplied_name"),
    SuppliedEmail: exact("supplied_email"),
  },
  fixed: {
    CaseNumber: exact(
      "case_number",
      "If another case has this number, or had it before it was deleted, the case gets a new one and keeps this one " +
        "as a custom field.",
    ),
  },
  placeholders: { subject: "(no subject)", status: "new" },
  computed: { case_number: ["CaseNumber"] },
  // Comments can only be written. Fields that repeat the contact of the case are kept, because the contact itself may
  // be deleted or hidden from the Salesforce user.
  ignoredFields: ["Comments"],
  ruleFields: ["IsClosed"],
  refine(record, draft) {
    draft.columns.case_number = textOf(record, "CaseNumber");
    settleStatus(record, draft, { closed: ["closed", "resolved"], initial: "new", open: "in_progress" });
  },
};

const caseComment: SourceObject = {
  name: "CaseComment",
  label: "case comment",
  resource: "case_comments",
  fields: {
    ParentId: exact("case_id"),
    CommentBody: exact("body"),
    IsPublished: exact("is_public"),
  },
  fixed: {
    CreatedById: likely(
      "author_id",
      "Matched to a member of the organization by e-mail; the name is kept as author_name.",
    ),
  },
  placeholders: { body: "(no text)" },
  computed: { author_id: ["CreatedById"], author_name: ["CreatedById"], kind: [] },
  ignoredFields: [],
  ruleFields: [],
  refine(record, draft, people) {
    const author = textOf(record, "CreatedById");
    draft.columns.kind = "comment";
    draft.columns.author_id = author && people.memberOf(author);
    draft.columns.author_name = author && people.nameOf(author);
    if (author) draft.customFields.CreatedById = author;
  },
};

/** All imported objects by API name. */
export const SOURCE_OBJECTS: Record<SourceObjectName, SourceObject> = {
  Account: account,
  Contact: contact,
  Product2: product,
  Opportunity: opportunity,
  Lead: lead,
  Case: supportCase,
  CaseComment: caseComment,
  EmailMessage: emailMessage,
  FeedItem: feedItem,
  FeedComment: feedComment,
  Task: task,
  Event: event,
};
