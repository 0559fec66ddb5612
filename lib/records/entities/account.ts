import { address, defineEntity } from "@/lib/records/entity";
import { integer, money, reference, required, text } from "@/lib/records/field";

export const account = defineEntity({
  resource: "accounts",
  label: "account",
  fields: {
    name: required(text()),
    type: text(),
    industry: text(),
    website: text(),
    phone: text(),
    annual_revenue: money(),
    currency: text(),
    number_of_employees: integer(),
    account_number: text(),
    rating: text(),
    ownership: text(),
    description: text(),
    parent_account_id: reference("accounts"),
    ...address("billing"),
    ...address("shipping"),
  },
});
