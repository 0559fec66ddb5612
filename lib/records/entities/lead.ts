import { lead_status } from "@/lib/generated/prisma/enums";
import { address, defineEntity } from "@/lib/records/entity";
import {
  defaulted,
  email,
  enumeration,
  integer,
  longText,
  money,
  readOnly,
  reference,
  required,
  text,
  timestamp,
  unfiltered,
} from "@/lib/records/field";

export const lead = defineEntity({
  resource: "leads",
  label: "lead",
  fields: {
    first_name: text(),
    last_name: required(text()),
    company: text(),
    title: text(),
    email: email(),
    phone: text(),
    mobile_phone: text(),
    website: text(),
    status: defaulted(enumeration("lead_status", lead_status), "new"),
    source: text(),
    rating: text(),
    industry: text(),
    annual_revenue: money(),
    number_of_employees: integer(0),
    ...address("address"),
    description: longText(),
    converted_at: readOnly(timestamp()),
    converted_account_id: readOnly(unfiltered(reference("accounts"))),
    converted_contact_id: readOnly(unfiltered(reference("contacts"))),
    converted_opportunity_id: readOnly(unfiltered(reference("opportunities"))),
  },
});
