import { case_priority, case_status } from "@/lib/generated/prisma/enums";
import { defineEntity } from "@/lib/records/schema/entity";
import {
  boolean,
  defaulted,
  email,
  enumeration,
  filterable,
  issued,
  longText,
  ofAction,
  readOnly,
  reference,
  required,
  text,
  timestamp,
  unique,
} from "@/lib/records/schema/field";

/** Numbers of cases are filled up with zeros to so many digits. */
export const CASE_NUMBER_DIGITS = 8;

export const supportCase = defineEntity({
  resource: "cases",
  label: "case",
  search: ["case_number", "subject", "supplied_name", "supplied_email"],
  alphabet: ["subject"],
  extraEvent: { action: "escalated", field: "is_escalated", value: true },
  fields: {
    case_number: unique(issued(text())),
    account_id: reference("accounts"),
    contact_id: reference("contacts"),
    parent_case_id: reference("cases"),
    subject: required(text()),
    description: longText(),
    status: filterable(ofAction("escalated", defaulted(enumeration("case_status", case_status), "new"))),
    priority: filterable(defaulted(enumeration("case_priority", case_priority), "medium")),
    type: text(),
    origin: text(),
    reason: text(),
    is_escalated: filterable(readOnly(defaulted(boolean(), false))),
    escalated_at: readOnly(timestamp()),
    escalation_reason: readOnly(longText()),
    closed_at: readOnly(timestamp()),
    supplied_name: text(),
    supplied_email: email(),
  },
});
