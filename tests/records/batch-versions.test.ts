import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { batchOperation } from "@/lib/records/batch/batch-operation";
import { createOperation, getOperation } from "@/lib/records/operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { type Answer, refusal, run } from "@/tests/records/support/write-operations";

interface Result {
  status: string;
  problem: { code: string; detail: string; errors: { pointer: string; code: string }[] };
}

async function perItem(context: Context, items: unknown[]): Promise<Result[]> {
  const { results } = await run(batchOperation("accounts"), context, { mode: "per_item", items });
  return results as Result[];
}

const faultsOf = ({ problem }: Result) => problem.errors.map(({ pointer, code }) => `${pointer} ${code}`);
const rename = (name: string) => ({ data: { name } });

async function versioned(context: Context): Promise<{ one: Answer; two: Answer }> {
  const one = await run(createOperation("accounts"), context, { name: "One", ext_id: "one" });
  const two = await run(createOperation("accounts"), context, { name: "Two", ext_id: "two" });
  return { one, two };
}

test("if_match, per item: an item with an outdated version fails, and all others are written", async () => {
  const context = await createContext();
  const { one, two } = await versioned(context);
  const results = await perItem(context, [
    { action: "update", id: one.id, if_match: 1, ...rename("A") },
    { action: "upsert", ext_id: "one", if_match: 1, ...rename("B") },
    { action: "upsert", ext_id: "two", if_match: 7, ...rename("C") },
    { action: "update", id: two.id, if_match: 1, ...rename("D") },
    { action: "upsert", ext_id: "three", if_match: 1, ...rename("E") },
    { action: "update", id: newId(), if_match: 1, ...rename("F") },
  ]);
  expect(results.map(({ status }) => status)).toEqual(["updated", "failed", "failed", "updated", "failed", "failed"]);
  expect(results.flatMap((result) => (result.status === "failed" ? faultsOf(result) : []))).toEqual([
    "/items/1/if_match precondition_failed",
    "/items/2/if_match precondition_failed",
    "/items/4/if_match precondition_failed",
    "/items/5/id not_found",
  ]);
  expect(results[1]?.problem).toMatchObject({
    code: "precondition_failed",
    detail: expect.stringContaining("version 2"),
  });
  expect(results[4]?.problem.detail).toContain("no such record");
  expect(await run(getOperation("accounts"), context, { id: one.id })).toMatchObject({ name: "A", version: 2 });
  expect(await run(getOperation("accounts"), context, { id: two.id })).toMatchObject({ name: "D", version: 2 });
  const { rowCount } = await pool().query("SELECT FROM accounts WHERE organization_id = $1", [context.organizationId]);
  expect(rowCount).toBe(2);
});

test("if_match, all or nothing: it fails the batch, with its own code if no other fault exists", async () => {
  const context = await createContext();
  const { one, two } = await versioned(context);
  const items = [
    { action: "update", id: one.id, ...rename("A") },
    { action: "update", id: two.id, if_match: 2, ...rename("B") },
  ];
  const whole = (given: unknown[]) =>
    refusal(run(batchOperation("accounts"), context, { mode: "all_or_nothing", items: given }));
  expect(await whole(items)).toEqual({
    code: "precondition_failed",
    errors: ["/items/1/if_match precondition_failed"],
  });
  expect(await whole([...items, { action: "update", id: newId(), data: {} }])).toMatchObject({
    code: "invalid_request",
  });
  expect(await run(getOperation("accounts"), context, { id: one.id })).toEqual(one);
});

test("of concurrent batches that expect the same version, one changes the record", async () => {
  const context = await createContext();
  const { one } = await versioned(context);
  const batches = Array.from({ length: 6 }, (_, index) =>
    perItem(context, [{ action: "update", id: one.id, if_match: 1, ...rename(`Name ${index}`) }]),
  );
  const statuses = (await Promise.all(batches)).flat().map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(["failed", "failed", "failed", "failed", "failed", "updated"]);
});

test.each([0, 1.5, "1", null, '"1"'])("if_match cannot be %j", async (if_match) => {
  const [result] = await perItem(await createContext(), [{ action: "update", id: newId(), if_match, ...rename("A") }]);
  expect(result?.problem.errors).toMatchObject([
    { pointer: "/items/0/if_match", detail: expect.stringContaining("a whole number from 1") },
  ]);
});

test("if_match does not apply to a record that is created", async () => {
  const [result] = await perItem(await createContext(), [{ action: "create", if_match: 1, ...rename("A") }]);
  expect(result && faultsOf(result)).toEqual(["/items/0/if_match unknown_field"]);
});
