import { expect, test } from "vitest";

import { convertLead } from "@/lib/records/lead-conversion/convert-lead";
import { createOperation, getOperation } from "@/lib/records/operations";
import { run } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const LEAD = { last_name: "Example", website: "https://alpine.example", annual_revenue: 1_000_000.5 };

test.each<[string, object, string | null, number | null]>([
  ["the lead's", { custom_fields: { CurrencyIsoCode: "EUR" } }, null, 1_000_000.5],
  ["the organization's, and the lead has none", {}, "EUR", 1_000_000.5],
  ["not the lead's", { custom_fields: { CurrencyIsoCode: "USD" } }, "EUR", null],
  ["not known to be the lead's", {}, null, null],
])("an existing account in EUR, which is %s, gets no amount of another currency", async (_, fields, own, amount) => {
  const context = await createContext();
  await pool().query("UPDATE organizations SET currency = $2 WHERE id = $1", [context.organizationId, own]);
  const { id } = await run(createOperation("leads"), context, { ...LEAD, ...fields });
  const account = await run(createOperation("accounts"), context, { name: "Alpine Tools AG", currency: "EUR" });
  await run(convertLead, context, { id, account_id: account.id });
  expect(await run(getOperation("accounts"), context, { id: account.id })).toMatchObject({
    website: "https://alpine.example",
    annual_revenue: amount,
    currency: "EUR",
  });
});

test("an amount whose currency an import kept names it in an account that is new, or names none", async () => {
  const context = await createContext();
  await pool().query("UPDATE organizations SET currency = 'EUR' WHERE id = $1", [context.organizationId]);
  const usd = { ...LEAD, company: "Alpine Tools AG", custom_fields: { CurrencyIsoCode: "USD" } };
  const amountsOf = async (target: { account_id?: string }) => {
    const { id } = await run(createOperation("leads"), context, usd);
    const converted = (await run(convertLead, context, { id, ...target })) as unknown as { account: { id: string } };
    return run(getOperation("accounts"), context, { id: converted.account.id });
  };
  expect(await amountsOf({})).toMatchObject({ annual_revenue: 1_000_000.5, currency: "USD" });
  const blank = await run(createOperation("accounts"), context, { name: "Blank" });
  expect(await amountsOf({ account_id: blank.id })).toMatchObject({ annual_revenue: 1_000_000.5, currency: "USD" });
  const valued = await run(createOperation("accounts"), context, { name: "Valued", annual_revenue: 7 });
  expect(await amountsOf({ account_id: valued.id })).toMatchObject({ annual_revenue: 7, currency: null });
});
