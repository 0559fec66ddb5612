import { afterEach, expect, test, vi } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { type Deletion, Problem } from "@/components/api/problem";
import { columnsWith, type DeletedRow, keyOf } from "@/components/records/deleted/deleted-columns";
import { DeletedRecord } from "@/components/records/deleted/deleted-record";
import { OtherRecord, restoreRecord } from "@/components/records/deleted/restore-record";
import { restoreAll, RestoreSelected } from "@/components/records/deleted/restore-selected";
import { FailureList } from "@/components/records/list/bulk/failure-list";
import { StackTable } from "@/components/ui/layout/stack-table";
import { QueryClient } from "@tanstack/react-query";
import type { ResourceName } from "@/lib/records/schema/resources";
import { markupOf } from "@/tests/components/support/app-router";

afterEach(() => vi.unstubAllGlobals());

const nothing = () => undefined;

const TAKEN = {
  title: "The request conflicts with what is there",
  detail: "The product p2 has the `sku` `S-1` now; give it another value, or null, by `PATCH /api/v1/products/p2`.",
  code: "conflict",
  errors: [{ pointer: "/sku", code: "taken", detail: "The product p2 has the `sku`." }],
  records: { product_id: "p2" },
};

test("a value that another record has by now is told without requests, with a link to that record", async () => {
  vi.stubGlobal("fetch", async () => Response.json(TAKEN, { status: 409 }));
  const refusal = await restoreRecord("products", "p1").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Problem);
  expect(refusal).toMatchObject({
    message: "Another product has the same SKU by now. Give that one another, or delete it, then restore again.",
    errors: [],
    status: 409,
  });
  expect(markupOf(<OtherRecord error={refusal} />)).toMatch(/href="\/products\/p2".*Show the product that is here/);
});

test("a value that no page changes is only freed by deleting the record that has it", async () => {
  const errors = [{ pointer: "/ext_id", code: "taken", detail: "The product p2 has the `ext_id`." }];
  vi.stubGlobal("fetch", async () => Response.json({ ...TAKEN, errors }, { status: 409 }));
  await expect(restoreRecord("products", "p1")).rejects.toThrow(/by now\. Delete that one, then restore again\.$/);
});

const rowOf = (object: ResourceName, id: string): DeletedRow => ({
  object,
  id,
  name: `Name of ${id}`,
  deleted_at: "2026-11-02T09:30:00.000Z",
  deleted_by_id: "u1",
  migration_id: null,
  restorable_until: "2026-12-02T09:30:00.000Z",
});

test("selected records are restored kind after kind, a case before its comments, and what fails is named", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return path.includes("/leads/") ? Response.json(TAKEN, { status: 409 }) : Response.json({ id: "1" });
  });
  let done = 0;
  const rows = [rowOf("case_comments", "c1"), rowOf("leads", "l1"), rowOf("cases", "k1")];
  const failures = await restoreAll(rows, (count) => (done += count));
  expect(asked.map((path) => path.split("/").slice(-3).join("/"))).toEqual([
    "cases/k1/restore",
    "case_comments/c1/restore",
    "leads/l1/restore",
  ]);
  expect(done).toBe(3);
  expect(failures).toMatchObject([{ id: "l1", name: "Name of l1" }]);
  expect(markupOf(<FailureList title="1 record was not restored" failures={failures} />)).toContain("/products/p2");
});

test("a list of deleted records has a box in each row, and a bar while some are selected", () => {
  const rows = [rowOf("leads", "l1"), rowOf("leads", "l2")];
  const bar = (ids: string[]) => {
    const selection = { ids: new Set(ids), select: nothing, extend: nothing, selectAll: nothing, clear: nothing };
    return markupOf(
      <>
        <StackTable caption="Deleted" columns={columnsWith(rows, selection)} rows={rows} rowKey={keyOf} />
        <RestoreSelected rows={rows} selection={selection} />
      </>,
    );
  };
  expect(bar([])).toContain('aria-label="Select Name of l2"');
  expect(bar([])).not.toContain("selected");
  // Headers are hidden where rows are stacked: a control there would take the focus unseen.
  expect(bar([])).toMatch(/<thead>(?:(?!<input).)*<\/thead>/);
  expect(bar(rows.slice(0, 1).map(keyOf))).toMatch(/1 selected.*Select all 2 loaded/s);
  expect(bar(rows.map(keyOf))).toMatch(/2 selected/);
});

test("the page of a record that a migration deleted names the migration, and nobody", () => {
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.record("users", "u1"), { id: "u1", name: "Ada" });
  queries.setQueryData(queryKeys.migrationName("m1"), { org_name: "Acme" });
  const { name, deleted_at, deleted_by_id, restorable_until } = rowOf("contacts", "c1");
  const facts = { name, deleted_at, deleted_by_id, restorable_until, is_part: false, belongs_to: null };
  const textOf = (migration_id: Deletion["migration_id"]) =>
    markupOf(<DeletedRecord resource="contacts" id="c1" deletion={{ ...facts, migration_id }} />, queries).replaceAll(
      /<[^>]*>/g,
      "",
    );
  expect(textOf(null)).toContain(", by Ada.");
  expect(textOf("m1")).toContain(", by the migration from Acme.");
  expect(textOf("m1")).not.toContain("Ada");
});
