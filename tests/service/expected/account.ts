import { address } from "@/tests/service/expected/address";
import { type Expectation, expectRecord } from "@/tests/service/expected/expectation";
import type { SourceWorld } from "@/tests/service/expected/source-world";
import type { SourceRecord } from "@/tests/service/support/source-org";

/** A person account is an account here too; the person is the contact that it names in PersonContactId. */
export function expectAccount(source: SourceRecord, world: SourceWorld): Expectation {
  return expectRecord("accounts", source, world, {
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
