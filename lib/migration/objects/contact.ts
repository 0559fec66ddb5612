import { address } from "@/lib/migration/objects/addresses";
import { exact, type SourceObject } from "@/lib/migration/objects/declaration";

export const contact: SourceObject = {
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
  ruled: {},
  placeholders: { last_name: "(no name)" },
  sets: [],
  // Made of Salutation, FirstName and LastName.
  leftOut: ["Name"],
};
