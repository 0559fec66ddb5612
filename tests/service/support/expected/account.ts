import { address } from "@/tests/service/support/expected/address";
import { type Expectation, expectRecord } from "@/tests/service/support/expected/expectation";
import type { SourceContext } from "@/tests/service/support/expected/source-context";
import type { SourceRecord } from "@/tests/service/support/source-org";

/** A person account becomes an account. The person is the contact in its PersonContactId. */
export function expectAccount(source: SourceRecord, context: SourceContext): Expectation {
  return expectRecord("accounts", source, context, {
    copied: {
      name: "Name",
      type: "Type",
      industry: "Industry",
      website: "Website",
      phone: "Phone",
      annual_revenue: "AnnualRevenue",
      currency: "CurrencyIsoCode",
      number_of_employees: "NumberOfEmployees",
      account_number: "AccountNumber",
      rating: "Rating",
      ownership: "Ownership",
      description: "Description",
      ...address("Billing", "billing"),
      ...address("Shipping", "shipping"),
    },
    links: { parent_account_id: "ParentId" },
  });
}
