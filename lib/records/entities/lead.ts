import { lead_status } from "@/lib/generated/prisma/enums";
import { address, defineEntity } from "@/lib/records/schema/entity";
import {
  defaulted,
  email,
  enumeration,
  filterable,
  integer,
  longText,
  money,
  readOnly,
  reference,
  required,
  text,
  timestamp,
} from "@/lib/records/schema/field";

export const lead = defineEntity({
  resource: "leads",
  label: "lead",
  search: ["first_name", "last_name", "company", "email"],
  fields: {
    first_name: text(),
    last_name: required(text()),
    company: text(),
    title: text(),
    email: filterable(email()),
    phone: text(),
    mobile_phone: text(),
    website: text(),
    status: filterable(defaulted(enumeration("lead_status", lead_status), "new")),
    source: text(),
    rating: text(),
    industry: text(),
    annual_revenue: money(),
    number_of_employees: integer(0),
    ...address("address"),
    description: longText(),
    converted_at: readOnly(timestamp()),
    converted_account_id: readOnly(reference("accounts")),
    converted_contact_id: readOnly(reference("contacts")),
    converted_opportunity_id: readOnly(reference("opportunities")),
  },
});
