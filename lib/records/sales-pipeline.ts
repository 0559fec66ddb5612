import { z } from "zod";

import { pool } from "@/lib/database/db";
import { dateInput } from "@/lib/input/ids-and-times";
import { defineOperation } from "@/lib/operation";
import { opportunity } from "@/lib/records/entities/opportunity";
import { userFilter } from "@/lib/records/list/filters";
import { fieldOutput } from "@/lib/records/schema/field-schema";
import { ME } from "@/lib/records/schema/list-address";

const { stage } = opportunity.fields;

const amounts = z.object({
  currency: z.string().nullable().describe("Null: the opportunities name no currency."),
  opportunities: z.int().describe("Those that have an amount."),
  amount: z.number(),
  weighted: z.number().describe("Each amount times its probability."),
});

const stageSummary = z.object({
  stage: fieldOutput(stage),
  opportunities: z.int(),
  overdue: z.int().describe("Open ones whose close date has passed, by the organization's time zone."),
  amounts: z.array(amounts).describe("By currency."),
});

type StageSummary = z.infer<typeof stageSummary>;

/** Sums are exact until the last step: `numeric`, rounded to the cents of `amount`. $5: today. */
const BY_STAGE = `
  WITH by_currency AS (
    SELECT stage, currency, count(*) AS opportunities, count(amount) AS with_amount, sum(amount) AS amount,
      round(sum(amount * coalesce(probability, 0)) / 100, 2) AS weighted,
      count(*) FILTER (WHERE NOT is_closed AND close_date < $5::date) AS overdue
    FROM opportunities
    WHERE organization_id = $1 AND ($2::uuid IS NULL OR owner_id = $2)
      AND ($3::date IS NULL OR close_date >= $3) AND ($4::date IS NULL OR close_date <= $4)
    GROUP BY stage, currency
  )
  SELECT stage::text, sum(opportunities)::int AS opportunities, sum(overdue)::int AS overdue,
    coalesce(jsonb_agg(
      jsonb_build_object('currency', currency, 'opportunities', with_amount, 'amount', amount, 'weighted', weighted)
      ORDER BY currency NULLS LAST
    ) FILTER (WHERE with_amount > 0), '[]') AS amounts
  FROM by_currency GROUP BY by_currency.stage ORDER BY by_currency.stage`;

/**
 * The day (`YYYY-MM-DD`) in the organization's time zone, by which a close date has passed. It is not asked of
 * PostgreSQL: that of Debian lacks older names, such as Asia/Calcutta, which browsers offer and settings take.
 */
export async function todayOf(organizationId: string): Promise<string> {
  const text = "SELECT time_zone FROM organizations WHERE id = $1";
  const { rows } = await pool().query<{ time_zone: string | null }>(text, [organizationId]);
  const timeZone = rows[0]?.time_zone ?? "UTC";
  const format = new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  const parts = new Map(format.formatToParts().map(({ type, value }) => [type, value]));
  return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}

const day = dateInput("This must be a date: `YYYY-MM-DD`.");

export const getPipeline = defineOperation({
  name: "get_pipeline",
  summary: "Count opportunities by stage, and sum their amounts by currency, whole and weighted by probability.",
  scopes: opportunity.readScopes,
  input: z.strictObject({
    owner_id: userFilter("owner_id").exactOptional().describe("Only those of this owner; `me` is whoever asks."),
    closes_from: day.exactOptional().describe("Only those with this close date or a later one."),
    closes_until: day.exactOptional().describe("Only those with this close date or an earlier one."),
  }),
  output: z.object({ data: z.array(stageSummary).describe("In the order of the stages.") }),
  async run({ organizationId, userId }, { owner_id: given, closes_from: from, closes_until: until }) {
    const owner = given === ME ? userId : (given ?? null);
    const values = [organizationId, owner, from ?? null, until ?? null, await todayOf(organizationId)];
    return { data: (await pool().query<StageSummary>(BY_STAGE, values)).rows };
  },
});
