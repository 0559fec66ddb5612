import { activity_priority, activity_status, activity_type } from "@/lib/generated/prisma/enums";
import { defineEntity } from "@/lib/records/schema/entity";
import {
  date,
  enumeration,
  filterable,
  integer,
  longText,
  reference,
  required,
  text,
  timestamp,
} from "@/lib/records/schema/field";

export const activity = defineEntity({
  resource: "activities",
  label: "activity",
  search: ["subject"],
  alphabet: ["subject"],
  sortings: { due_date: "asc" },
  fields: {
    type: filterable(required(enumeration("activity_type", activity_type))),
    subject: required(text()),
    description: longText(),
    status: filterable(enumeration("activity_status", activity_status)),
    priority: enumeration("activity_priority", activity_priority),
    due_date: date(),
    start_at: timestamp(),
    end_at: timestamp(),
    completed_at: timestamp(),
    duration_minutes: integer(0),
    location: text(),
    account_id: reference("accounts"),
    contact_id: reference("contacts"),
    case_id: reference("cases"),
    opportunity_id: reference("opportunities"),
    lead_id: reference("leads"),
  },
});
