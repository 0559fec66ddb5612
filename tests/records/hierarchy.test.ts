import { describe, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { batchOperation } from "@/lib/records/batch/batch-operation";
import {
  createOperation,
  deleteOperation,
  getOperation,
  restoreOperation,
  updateOperation,
} from "@/lib/records/operations";
import { createContext, insertRecord, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { type Answer, refusal, run } from "@/tests/records/support/write-operations";

const HIERARCHIES = [
  { resource: "accounts", field: "parent_account_id" },
  { resource: "contacts", field: "reports_to_id" },
  { resource: "cases", field: "parent_case_id" },
] as const;

describe.each(HIERARCHIES)("$field", ({ resource, field }) => {
  const create = (context: Context, above: string | null = null) =>
    run(createOperation(resource), context, { ...NEEDED[resource], [field]: above });
  const point = (context: Context, id: string, above: string | null) =>
    run(updateOperation(resource), context, { id, [field]: above });
  const refused = { code: "invalid_request", errors: [`/${field} invalid_value`] };

  test("leads neither to the record itself nor to one below it, at any depth", async () => {
    const context = await createContext();
    const top = await create(context);
    const middle = await create(context, top.id);
    const low = await create(context, middle.id);
    for (const above of [top, middle, low]) expect(await refusal(point(context, top.id, above.id))).toEqual(refused);
    expect(await refusal(point(context, middle.id, low.id))).toEqual(refused);
    await point(context, low.id, null);
    expect(await point(context, top.id, low.id)).toMatchObject({ [field]: low.id });
  });

  test("forms no cycle within a batch, where all changes count together", async () => {
    const context = await createContext();
    const [one, other, third] = [await create(context), await create(context), await create(context)];
    const items = [
      { action: "update", id: one.id, data: { [field]: other.id } },
      { action: "update", id: third.id, data: { [field]: one.id } },
      { action: "update", id: other.id, data: { [field]: one.id } },
    ];
    const { errors } = await refusal(run(batchOperation(resource), context, { mode: "all_or_nothing", items }));
    expect(errors).toEqual([`/items/2/data/${field} invalid_value`]);
    await point(context, one.id, other.id);
    const turned = [
      { action: "update", id: one.id, data: { [field]: null } },
      { action: "update", id: other.id, data: { [field]: one.id } },
    ];
    const { results } = (await run(batchOperation(resource), context, {
      mode: "all_or_nothing",
      items: turned,
    })) as unknown as { results: object[] };
    expect(results).toMatchObject([{ record: { [field]: null } }, { record: { [field]: one.id } }]);
  });

  test("forms no cycle by two concurrent changes", async () => {
    const context = await createContext();
    const [one, other] = [await create(context), await create(context)];
    await Promise.allSettled([point(context, one.id, other.id), point(context, other.id, one.id)]);
    const after = (await Promise.all(
      [one, other].map(({ id }) => run(getOperation(resource), context, { id })),
    )) as Answer[];
    expect(after.filter((record) => record[field] !== null)).toHaveLength(1);
  });

  test("is not closed to a circle by what is restored: who came above it since does not point at it", async () => {
    const context = await createContext();
    const top = await create(context);
    const middle = await create(context, top.id);
    const [low, beside] = [await create(context, middle.id), await create(context, middle.id)];
    await run(deleteOperation(resource), context, { id: middle.id });
    await point(context, top.id, low.id);
    expect(await run(restoreOperation(resource), context, { id: middle.id })).toMatchObject({ [field]: top.id });
    const aboveOf = async ({ id }: Answer) => (await run(getOperation(resource), context, { id }))[field];
    expect([await aboveOf(low), await aboveOf(top), await aboveOf(beside)]).toEqual([null, low.id, middle.id]);
  });
});

test("a cycle that an import left does not prevent other changes, and can be broken", async () => {
  const context = await createContext();
  const one = await insertRecord("accounts", context.organizationId);
  const other = await insertRecord("accounts", context.organizationId, { parent_account_id: one });
  const below = await insertRecord("accounts", context.organizationId);
  await pool().query("UPDATE accounts SET parent_account_id = $1 WHERE id = $2", [other, one]);
  expect(await run(updateOperation("accounts"), context, { id: one, phone: "1" })).toMatchObject({ phone: "1" });
  expect(await run(updateOperation("accounts"), context, { id: below, parent_account_id: one })).toMatchObject({
    parent_account_id: one,
  });
  expect(await run(updateOperation("accounts"), context, { id: one, parent_account_id: null })).toMatchObject({
    parent_account_id: null,
  });
});
