import { expect, test } from "vitest";

import { createOperation, updateOperation } from "@/lib/records/operations";
import { createContext, insertRecord, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { refusal, run } from "@/tests/records/support/write-operations";

test("custom fields are bounded, at once and step by step; imported ones above the bound may only shrink", async () => {
  const context = await createContext();
  const half = "x".repeat(70_000);
  const account = await run(createOperation("accounts"), context, { ...NEEDED.accounts, custom_fields: { a: half } });
  const refused = { code: "invalid_request", errors: ["/custom_fields too_long"] };
  expect(
    await refusal(
      run(createOperation("accounts"), context, { ...NEEDED.accounts, custom_fields: { a: half, b: half } }),
    ),
  ).toEqual(refused);
  expect(
    await refusal(run(updateOperation("accounts"), context, { id: account.id, custom_fields: { b: half } })),
  ).toEqual(refused);
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`n${index}`, 1]));
  expect(await refusal(run(updateOperation("accounts"), context, { id: account.id, custom_fields: many }))).toEqual(
    refused,
  );
  const large = await insertRecord("accounts", context.organizationId, {
    custom_fields: { a: half, b: half, c: half },
  });
  const smaller = await run(updateOperation("accounts"), context, {
    id: large,
    phone: "1",
    custom_fields: { c: null },
  });
  expect(smaller).toMatchObject({ phone: "1", custom_fields: { a: half, b: half } });
  expect(await refusal(run(updateOperation("accounts"), context, { id: large, custom_fields: { c: 1 } }))).toEqual(
    refused,
  );
});

test("a negative zero equals zero: nothing changes", async () => {
  const context = await createContext();
  const zero = { amount: 0, custom_fields: { a: 0, b: [{ c: 0 }] } };
  const opportunity = await run(createOperation("opportunities"), context, { ...NEEDED.opportunities, ...zero });
  const signed = { amount: -0, custom_fields: { a: -0, b: [{ c: -0 }] } };
  expect(await run(updateOperation("opportunities"), context, { id: opportunity.id, ...signed })).toEqual(opportunity);
});

test.each([
  ["large", 1.5e300, 301],
  ["small", -1.5e-300, 304],
])("a %s number counts with all the digits that it is stored and answered with", async (_, number, digits) => {
  const context = await createContext();
  const { id, custom_fields: stored } = await run(createOperation("accounts"), context, {
    ...NEEDED.accounts,
    custom_fields: { n: number },
  });
  expect(stored).toEqual({ n: number });
  const { rows } = await pool().query<{ text: string }>(
    "SELECT custom_fields ->> 'n' AS text FROM accounts WHERE id = $1",
    [id],
  );
  expect(rows[0]?.text).toHaveLength(digits);
  const some = (count: number) => ({ ...NEEDED.accounts, custom_fields: { n: Array<number>(count).fill(number) } });
  const most = Math.floor(131_000 / (digits + 1));
  await expect(run(createOperation("accounts"), context, some(most))).resolves.toBeTruthy();
  expect(await refusal(run(createOperation("accounts"), context, some(most + 10)))).toEqual({
    code: "invalid_request",
    errors: ["/custom_fields too_long"],
  });
});
