import { address, defineEntity } from "@/lib/records/schema/entity";
import { currency, filterable, integer, longText, money, reference, required, text } from "@/lib/records/schema/field";

export const account = defineEntity({
  resource: "accounts",
  label: "account",
  search: ["name", "account_number", "website"],
  phones: ["phone"],
  alphabet: ["name"],
  fields: {
    name: required(text()),
    type: filterable(text()),
    industry: text(),
    website: text(),
    phone: text(),
    annual_revenue: money(),
    currency: currency(),
    number_of_employees: integer(0),
    account_number: text(),
    rating: text(),
    ownership: text(),
    description: longText(),
    parent_account_id: reference("accounts"),
    ...address("billing"),
    ...address("shipping"),
  },
});
