import { address } from "@/tests/service/support/expected/address";
import { type Expectation, expectRecord } from "@/tests/service/support/expected/expectation";
import type { SourceContext } from "@/tests/service/support/expected/source-context";
import type { SourceRecord } from "@/tests/service/support/source-org";

export function expectContact(source: SourceRecord, context: SourceContext): Expectation {
  return expectRecord("contacts", source, context, {
    copied: {
      salutation: "Salutation",
      first_name: "FirstName",
      last_name: "LastName",
      email: "Email",
      phone: "Phone",
      mobile_phone: "MobilePhone",
      home_phone: "HomePhone",
      title: "Title",
      department: "Department",
      lead_source: "LeadSource",
      birthdate: "Birthdate",
      do_not_call: "DoNotCall",
      email_opt_out: "HasOptedOutOfEmail",
      description: "Description",
      ...address("Mailing", "mailing"),
      ...address("Other", "other"),
    },
    links: { account_id: "AccountId", reports_to_id: "ReportsToId" },
  });
}
