import { forecast_category, opportunity_stage } from "@/lib/generated/prisma/enums";
import { defineEntity } from "@/lib/records/schema/entity";
import {
  boolean,
  currency,
  date,
  defaulted,
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

export const opportunity = defineEntity({
  resource: "opportunities",
  label: "opportunity",
  search: ["name"],
  alphabet: ["name"],
  sortings: { close_date: "asc", amount: "desc" },
  extraEvent: { action: "stage_changed", field: "stage" },
  fields: {
    account_id: reference("accounts"),
    contact_id: reference("contacts"),
    name: required(text()),
    stage: filterable(required(enumeration("opportunity_stage", opportunity_stage))),
    amount: money(),
    currency: currency(),
    probability: integer(0, 100),
    close_date: required(date()),
    type: text(),
    lead_source: text(),
    next_step: text(),
    forecast_category: enumeration("forecast_category", forecast_category),
    is_closed: filterable(readOnly(defaulted(boolean(), false))),
    is_won: readOnly(defaulted(boolean(), false)),
    loss_reason: text(),
    stage_changed_at: readOnly(timestamp()),
    description: longText(),
  },
});

/** Whether an opportunity is closed and won, by its stage. */
export const CLOSING = Object.fromEntries(
  Object.values(opportunity_stage).map((stage) => [
    stage,
    { is_closed: stage.startsWith("closed_"), is_won: stage === "closed_won" },
  ]),
) as Record<opportunity_stage, { is_closed: boolean; is_won: boolean }>;
