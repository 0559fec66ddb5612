import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { execute } from "@/lib/operation";
import { getPipeline } from "@/lib/records/sales-pipeline";
import { pool } from "@/tests/support/owner";
import { createContext, createUser, insertRecord } from "@/tests/support/factories";

type Values = Record<string, unknown>;

/** The opportunities of a new organization. */
async function pipelineOf(deals: Values[]): Promise<Context> {
  const context = await createContext();
  for (const deal of deals) await insertRecord("opportunities", context.organizationId, deal);
  return context;
}

const OPEN = { stage: "proposal", is_closed: false, close_date: "2099-12-31", probability: 50 };
const EUR = { ...OPEN, currency: "EUR" };

test("amounts are summed by stage and currency, exactly, and weighted", async () => {
  const context = await pipelineOf([
    { ...EUR, amount: "0.10" },
    { ...EUR, amount: "0.20", probability: 25 },
    { ...EUR, amount: null },
    { ...EUR, amount: "1000.00", probability: null },
    { ...OPEN, currency: "CHF", amount: "99999999.99", probability: 100 },
    { ...OPEN, currency: null, amount: "5.00" },
    { ...EUR, stage: "closed_won", is_closed: true, amount: "7.00", probability: 100, close_date: "2020-01-01" },
    { ...EUR, stage: "prospecting", amount: null },
  ]);
  expect(await execute(getPipeline, context, {})).toEqual({
    data: [
      { stage: "prospecting", opportunities: 1, overdue: 0, amounts: [] },
      {
        stage: "proposal",
        opportunities: 6,
        overdue: 0,
        amounts: [
          { currency: "CHF", opportunities: 1, amount: 99_999_999.99, weighted: 99_999_999.99 },
          { currency: "EUR", opportunities: 3, amount: 1000.3, weighted: 0.1 },
          { currency: null, opportunities: 1, amount: 5, weighted: 2.5 },
        ],
      },
      {
        stage: "closed_won",
        opportunities: 1,
        overdue: 0,
        amounts: [{ currency: "EUR", opportunities: 1, amount: 7, weighted: 7 }],
      },
    ],
  });
});

test("it is narrowed by owner and close date, and says what is overdue", async () => {
  const context = await pipelineOf([{ ...EUR, close_date: "2020-06-30" }, EUR]);
  const owner_id = await createUser(context.organizationId);
  await insertRecord("opportunities", context.organizationId, { ...EUR, owner_id, close_date: "2020-07-01" });
  const counted = async (input: Values) => {
    const { data } = (await execute(getPipeline, context, input)) as { data: Values[] };
    return data.map(({ opportunities, overdue }) => [opportunities, overdue]);
  };
  expect(await counted({})).toEqual([[3, 2]]);
  expect(await counted({ owner_id })).toEqual([[1, 1]]);
  const own = await execute(getPipeline, { ...context, userId: owner_id }, { owner_id: "me" });
  expect(own).toMatchObject({ data: [{ opportunities: 1, overdue: 1 }] });
  expect(await counted({ closes_from: "2020-07-01" })).toEqual([[2, 1]]);
  expect(await counted({ closes_until: "2020-06-30" })).toEqual([[1, 1]]);
  expect(await counted({ closes_from: "2020-07-01", closes_until: "2020-07-01" })).toEqual([[1, 1]]);
  expect(await counted({ closes_from: "2100-01-01" })).toEqual([]);
  expect(await counted({ closes_from: "0001-01-01", closes_until: "9999-12-31" })).toEqual([[3, 2]]);
});

test.each(["closes_from", "closes_until"])("%s refuses a year that PostgreSQL does not have", async (name) => {
  const refused = execute(getPipeline, await createContext(), { [name]: "0000-01-01" });
  await expect(refused).rejects.toMatchObject({ errors: [{ pointer: `/${name}`, code: "invalid_value" }] });
});

/** How many are overdue in an organization of this time zone, of one that closes on the day in so many hours. */
async function overdueIn(zone: string, hours: number): Promise<unknown[]> {
  const day = new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10);
  const context = await pipelineOf([{ ...EUR, close_date: day }]);
  await pool().query("UPDATE organizations SET time_zone = $2 WHERE id = $1", [context.organizationId, zone]);
  const { data } = (await execute(getPipeline, context, {})) as { data: Values[] };
  return data.map(({ overdue }) => overdue);
}

test("what is overdue follows the day of the organization's time zone", async () => {
  // Between these two it is always a different day, and in each its own day is not over.
  expect([await overdueIn("Pacific/Kiritimati", 14), await overdueIn("Etc/GMT+12", -12)]).toEqual([[0], [0]]);
  expect([await overdueIn("Pacific/Kiritimati", -12), await overdueIn("Etc/GMT+12", -36)]).toEqual([[1], [1]]);
});

test("so it does where PostgreSQL does not know the time zone by the name that settings take", async () => {
  const zone = "US/Pacific-New";
  await expect(pool().query("SELECT now() AT TIME ZONE $1", [zone])).rejects.toThrow("not recognized");
  expect([await overdueIn(zone, 24), await overdueIn(zone, -36)]).toEqual([[0], [1]]);
});
