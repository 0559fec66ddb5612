import { describe, expect, test } from "vitest";

import { deleteOperation, getOperation, restoreOperation } from "@/lib/records/operations";
import { relationsTo } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";
import { createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { refusal, run } from "@/tests/records/support/write-operations";

const RELATIONS = RESOURCES.flatMap((to) =>
  relationsTo(to).map(({ from, field, isPart }) => ({ from: from.resource, field, to, isPart })),
);
const CLEARED = RELATIONS.filter(({ isPart }) => !isPart);
const PARTS = RELATIONS.filter(({ isPart }) => isPart);

/** A case comment needs a case, whatever else it refers to. */
async function insertPointing(from: ResourceName, organizationId: string, field: string, id: string): Promise<string> {
  const parent =
    from === "case_comments" && field !== "case_id" ? { case_id: await insertRecord("cases", organizationId) } : {};
  return insertRecord(from, organizationId, { ...parent, [field]: id });
}

test("every foreign key between records is a relation of the registry", async () => {
  const { rows } = await pool().query<{ relation: string }>(
    `SELECT conrelid::regclass || '.' || a.attname AS relation FROM pg_constraint c
     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) AND a.attname <> 'organization_id'
     WHERE c.contype = 'f' AND c.confrelid::regclass::text = ANY ($1) AND c.conrelid::regclass::text = ANY ($1)`,
    [[...RESOURCES]],
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(RELATIONS.map(({ from, field }) => `${from}.${field}`)).toEqual(
    expect.arrayContaining(rows.map(({ relation }) => relation)),
  );
});

test("a deletion includes the parts of a record, and nothing refers to those", () => {
  expect(PARTS).toEqual([{ from: "case_comments", field: "case_id", to: "cases", isPart: true }]);
  for (const { from } of PARTS) expect(relationsTo(from)).toEqual([]);
});

describe.each(CLEARED)("$from.$field", ({ from, field, to }) => {
  test("is cleared when its target is deleted, and set again when that is restored", async () => {
    const context = await createContext();
    const target = await insertRecord(to, context.organizationId);
    const pointing = await insertPointing(from, context.organizationId, field, target);
    await run(deleteOperation(to), context, { id: target });
    expect(await run(getOperation(from), context, { id: pointing })).toMatchObject({ [field]: null, version: 2 });
    await run(restoreOperation(to), context, { id: target });
    expect(await run(getOperation(from), context, { id: pointing })).toMatchObject({ [field]: target, version: 3 });
  });

  test("is restored with its own record, and is empty if its target no longer exists", async () => {
    const context = await createContext();
    const target = await insertRecord(to, context.organizationId);
    const pointing = await insertPointing(from, context.organizationId, field, target);
    await run(deleteOperation(from), context, { id: pointing });
    expect(await run(restoreOperation(from), context, { id: pointing })).toMatchObject({ [field]: target });
    await run(deleteOperation(from), context, { id: pointing });
    await run(deleteOperation(to), context, { id: target });
    expect(await run(restoreOperation(from), context, { id: pointing })).toMatchObject({ [field]: null });
  });

  test("is restored whichever of the two was deleted first, and whichever is restored first", async () => {
    const context = await createContext();
    const orders = [true, false].flatMap((targetGoesFirst) =>
      [true, false].map((targetReturnsFirst) => [targetGoesFirst, targetReturnsFirst]),
    );
    for (const [targetGoesFirst, targetReturnsFirst] of orders) {
      const target = await insertRecord(to, context.organizationId);
      const pointing = await insertPointing(from, context.organizationId, field, target);
      const both = [
        { resource: to, id: target },
        { resource: from, id: pointing },
      ] as const;
      for (const { resource, id } of targetGoesFirst ? both : both.toReversed())
        await run(deleteOperation(resource), context, { id });
      for (const { resource, id } of targetReturnsFirst ? both : both.toReversed())
        await run(restoreOperation(resource), context, { id });
      expect(await run(getOperation(from), context, { id: pointing })).toMatchObject({ [field]: target });
    }
  });

  test("of another organization is not touched", async () => {
    const [context, stranger] = [await createContext(), await createContext()];
    const target = await insertRecord(to, context.organizationId);
    const own = await insertRecord(to, stranger.organizationId, { id: target });
    const pointing = await insertPointing(from, stranger.organizationId, field, own);
    await run(deleteOperation(to), context, { id: target });
    expect(await run(getOperation(from), stranger, { id: pointing })).toMatchObject({ [field]: own, version: 1 });
  });
});

describe.each(PARTS)("$from, a part of $to,", ({ from, field, to }) => {
  test("are deleted and restored with it, and cannot be restored alone", async () => {
    const context = await createContext();
    const target = await insertRecord(to, context.organizationId);
    const ids = [
      await insertPointing(from, context.organizationId, field, target),
      await insertPointing(from, context.organizationId, field, target),
    ];
    const bystander = await insertPointing(
      from,
      context.organizationId,
      field,
      await insertRecord(to, context.organizationId),
    );
    const before = await Promise.all(ids.map((id) => run(getOperation(from), context, { id })));
    await run(deleteOperation(to), context, { id: target });
    for (const id of ids) {
      expect(await refusal(run(getOperation(from), context, { id }))).toMatchObject({ code: "not_found" });
      expect(await refusal(run(restoreOperation(from), context, { id }))).toMatchObject({ code: "conflict" });
    }
    expect(await run(getOperation(from), context, { id: bystander })).toMatchObject({ version: 1 });
    await run(restoreOperation(to), context, { id: target });
    const after = await Promise.all(ids.map((id) => run(getOperation(from), context, { id })));
    expect(after).toEqual(before.map((record) => ({ ...record, version: 2, updated_at: expect.any(String) })));
  });

  test("that were deleted before it stay deleted when it is restored", async () => {
    const context = await createContext();
    const target = await insertRecord(to, context.organizationId);
    const part = await insertPointing(from, context.organizationId, field, target);
    await run(deleteOperation(from), context, { id: part });
    await run(deleteOperation(to), context, { id: target });
    const alone = await refusal(run(restoreOperation(from), context, { id: part }));
    expect(alone).toEqual({ code: "conflict", errors: [`/${field} not_found`] });
    await run(restoreOperation(to), context, { id: target });
    expect(await refusal(run(getOperation(from), context, { id: part }))).toMatchObject({ code: "not_found" });
    expect(await run(restoreOperation(from), context, { id: part })).toMatchObject({ [field]: target });
  });
});
