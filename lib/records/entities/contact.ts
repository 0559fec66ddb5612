import { address, defineEntity } from "@/lib/records/schema/entity";
import {
  boolean,
  date,
  defaulted,
  email,
  filterable,
  longText,
  reference,
  required,
  text,
} from "@/lib/records/schema/field";

export const contact = defineEntity({
  resource: "contacts",
  label: "contact",
  search: ["first_name", "last_name", "email"],
  alphabet: ["last_name", "first_name"],
  fields: {
    account_id: reference("accounts"),
    salutation: text(),
    first_name: text(),
    last_name: required(text()),
    email: filterable(email()),
    phone: text(),
    mobile_phone: text(),
    home_phone: text(),
    title: text(),
    department: text(),
    reports_to_id: reference("contacts"),
    lead_source: text(),
    birthdate: date(),
    do_not_call: defaulted(boolean(), false),
    email_opt_out: defaulted(boolean(), false),
    description: longText(),
    ...address("mailing"),
    ...address("other"),
  },
});
