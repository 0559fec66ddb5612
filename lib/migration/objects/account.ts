import { address } from "@/lib/migration/objects/addresses";
import { exact, type SourceObject } from "@/lib/migration/objects/declaration";

/** Person accounts come as an account here, and as the contact that belongs to it with the Contact object. */
export const account: SourceObject = {
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
  ruled: {},
  placeholders: { name: "(no name)" },
  sets: [],
  leftOut: [],
};
