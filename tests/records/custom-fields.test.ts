import { expect, test } from "vitest";

import { createOperation, updateOperation } from "@/lib/records/operations";
import { createContext, insertRecord } from "@/tests/support/factories";

import { NEEDED, refusal, run } from "@/tests/records/support/write-operations";

test("custom fields do not grow without bound, neither at once nor little by little, and what an import brought may become less", async () => {
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

test("zero with a sign is the zero that is there: nothing changes", async () => {
  const context = await createContext();
  const zero = { amount: 0, custom_fields: { a: 0, b: [{ c: 0 }] } };
  const opportunity = await run(createOperation("opportunities"), context, { ...NEEDED.opportunities, ...zero });
  const signed = { amount: -0, custom_fields: { a: -0, b: [{ c: -0 }] } };
  expect(await run(updateOperation("opportunities"), context, { id: opportunity.id, ...signed })).toEqual(opportunity);
});
