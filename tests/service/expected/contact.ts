import { address } from "@/tests/service/expected/address";
import { type Expectation, expectRecord } from "@/tests/service/expected/expectation";
import type { SourceWorld } from "@/tests/service/expected/source-world";
import type { SourceRecord } from "@/tests/service/support/source-org";

export function expectContact(source: SourceRecord, world: SourceWorld): Expectation {
  return expectRecord("contacts", source, world, {
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
