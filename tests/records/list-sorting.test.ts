import { describe, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { deleteOperation, listOperation } from "@/lib/records/operations";
import { refusal, run } from "@/tests/records/support/write-operations";
import { createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

interface Page {
  data: { id: string; name?: string; last_name: string; subject: string }[];
  next_cursor: string | null;
}

const context = await createContext();
const { organizationId } = context;

type Listed = "accounts" | "activities" | "contacts" | "opportunities";

async function list(parameters: object, resource: Listed = "accounts", by = context): Promise<Page> {
  return (await run(listOperation(resource), by, parameters)) as unknown as Page;
}

/** The names of all pages of two records each. */
async function walk(parameters: object, resource: Listed = "accounts"): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Page = await list({ ...parameters, limit: 2, ...(cursor !== null && { cursor }) }, resource);
    seen.push(...page.data.map(({ name, subject }) => name ?? subject));
    cursor = page.next_cursor;
    if (cursor === null) return seen;
  }
}

const MIGRATION = newId();

const NAMES = ["Zebra", "aebi", "Müller", "Muller", "Öz", "Delta", "delta", "Ab", "Ab"];

const imported = [await insertRecord("accounts", (await createContext()).organizationId, { name: "Of others" })];
for (const [index, name] of NAMES.entries()) {
  const type = index % 2 === 0 ? "even" : "odd";
  const updated_at = new Date(Date.UTC(2026, 0, NAMES.length - index));
  const id = await insertRecord("accounts", organizationId, { name, type, updated_at });
  if (index < 4) imported.push(id);
}
await pool().query("UPDATE accounts SET migration_id = $1 WHERE id = ANY ($2)", [MIGRATION, imported]);

const folded = (name: string) =>
  name
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .toLowerCase();

/** One half of names like "10 on 2030-01-01". */
function halves(names: readonly string[] | undefined, half: 0 | 1) {
  return names?.map((name) => name.split(" on ")[half]);
}

describe("sorting", () => {
  test("by name is from A on, without case and accents, over all pages", async () => {
    const names = await walk({ sort: "name" });
    expect(names.map(folded)).toEqual(NAMES.map(folded).toSorted());
    expect(names.toSorted()).toEqual(NAMES.toSorted());
    expect(await walk({ sort: "name", order: "desc" })).toEqual(names.toReversed());
  });

  test("by name leaves out characters that nobody sees", async () => {
    const other = await createContext();
    const made: string[] = [];
    for (const name of ["Alpha", "\ufeffBeta", "Gam\u00adma", "Gamut"])
      made.push(await insertRecord("accounts", other.organizationId, { name }));
    const { data } = await list({ sort: "name" }, "accounts", other);
    expect(data.map(({ id }) => id)).toEqual(made);
  });

  test("by the last change begins with the latest", async () => {
    expect(await walk({ sort: "updated_at" })).toEqual(NAMES);
    expect(await walk({ sort: "updated_at", order: "asc" })).toEqual(NAMES.toReversed());
    const since = { "updated_at[gte]": "2026-01-08T00:00:00Z" };
    expect(await walk({ sort: "updated_at", ...since })).toEqual(["Zebra", "aebi"]);
    expect(await walk({ sort: "name", ...since })).toEqual(["aebi", "Zebra"]);
  });

  test("by creation is the usual order", async () => {
    expect(await walk({ sort: "created_at" })).toEqual(await walk({}));
    expect(await walk({ sort: "created_at", order: "asc" })).toEqual(await walk({ order: "asc" }));
  });

  test("goes with filters, words and times", async () => {
    const even = NAMES.filter((_, index) => index % 2 === 0).map(folded);
    expect((await walk({ sort: "name", type: "even" })).map(folded)).toEqual(even.toSorted());
    expect(await walk({ sort: "name", order: "desc", q: "a" })).toEqual(["aebi", "Ab", "Ab"]);
    expect(await walk({ sort: "name", q: "a", type: "odd" })).toEqual(["Ab", "aebi"]);
    expect(await walk({ sort: "name", "created_at[lt]": "2000-01-01" })).toEqual([]);
    expect(await list({ sort: "name", type: "even", include: "total", limit: 1 })).toMatchObject({ total: 5 });
  });

  test("of people is by the last name, then the first", async () => {
    for (const [first_name, last_name] of [
      ["Bo", "Berg"],
      ["Al", "Berg"],
      [null, "Berg"],
      ["Zoe", "Alder"],
    ])
      await insertRecord("contacts", organizationId, { first_name, last_name });
    const { data } = await list({ sort: "last_name", fields: "first_name,last_name" }, "contacts");
    expect(data).toMatchObject([
      { first_name: "Zoe" },
      { first_name: null },
      { first_name: "Al" },
      { first_name: "Bo" },
    ]);
  });

  test("of opportunities is by amount, those without one at the small end, or by close date", async () => {
    const amounts = [null, "-0.01", "0.00", "9999999999999999.99", "10", "9.99", "10", null, "-9999999999999999.99"];
    const days = amounts.map((_, index) => `20${30 + ((index * 4) % 5)}-01-01`);
    for (const [index, amount] of amounts.entries())
      await insertRecord("opportunities", organizationId, {
        name: `${amount} on ${days[index]}`,
        amount,
        close_date: days[index],
      });
    const [byAmount, byDay] = await Promise.all(
      ["amount", "close_date"].map((sort) => walk({ sort }, "opportunities")),
    );
    const sizes = ["9999999999999999.99", "10", "10", "9.99", "0.00", "-0.01", "-9999999999999999.99", "null", "null"];
    expect(halves(byAmount, 0)).toEqual(sizes);
    expect(halves(byDay, 1)).toEqual(days.toSorted());
    expect(byAmount?.toSorted()).toEqual(byDay?.toSorted());
    expect(await walk({ sort: "amount", order: "asc" }, "opportunities")).toEqual(byAmount?.toReversed());
    expect(await walk({ sort: "close_date", order: "desc" }, "opportunities")).toEqual(byDay?.toReversed());
    const stage = { stage: "prospecting", q: "on" };
    expect(await walk({ sort: "amount", ...stage }, "opportunities")).toEqual(byAmount);
    expect(await walk({ sort: "close_date", stage: "prospecting" }, "opportunities")).toEqual(byDay);
  });

  test("of activities is by due date, those that are due on no day last, over all pages", async () => {
    const days = ["2030-03-01", null, "2030-01-01", "2030-02-01", null, "2030-01-01"];
    for (const due_date of days)
      await insertRecord("activities", organizationId, { subject: String(due_date), due_date, status: "waiting" });
    const byDay = ["2030-01-01", "2030-01-01", "2030-02-01", "2030-03-01", "null", "null"];
    expect(await walk({ sort: "due_date" }, "activities")).toEqual(byDay);
    expect(await walk({ sort: "due_date", order: "desc" }, "activities")).toEqual(byDay.toReversed());
    expect(await walk({ sort: "due_date", status: "waiting" }, "activities")).toEqual(byDay);
  });

  test("goes on behind a record that has been deleted, and refuses a cursor that is no record", async () => {
    const by = await createContext();
    for (const name of ["A", "B", "C"]) await insertRecord("accounts", by.organizationId, { name });
    const { next_cursor: cursor } = await list({ sort: "name", limit: 2 }, "accounts", by);
    await run(deleteOperation("accounts"), by, { id: String(cursor) });
    expect((await list({ sort: "name", cursor }, "accounts", by)).data.map(({ name }) => name)).toEqual(["C"]);
    const foreign = list({ sort: "name", cursor }, "accounts");
    expect(await refusal(foreign)).toEqual({ code: "invalid_request", errors: ["/cursor invalid_cursor"] });
  });

  test("by what has no index is refused with what there is", async () => {
    await expect(list({ sort: "phone" })).rejects.toMatchObject({
      errors: [{ pointer: "/sort", detail: "`sort` must be one of `created_at`, `updated_at`, `name`." }],
    });
  });
});

describe("the records of a migration", () => {
  test("are a list of their own, of the organization alone", async () => {
    expect((await walk({ migration_id: MIGRATION })).toSorted()).toEqual(NAMES.slice(0, 4).toSorted());
    expect((await walk({ migration_id: MIGRATION, sort: "name", type: "odd" })).toSorted()).toEqual(["Muller", "aebi"]);
    expect(await walk({ migration_id: newId() })).toEqual([]);
  });

  test("are not told to who may read products alone", async () => {
    const reader = await createContext({ organizationId, scopes: ["erp:read"] });
    const outcome = run(listOperation("products"), reader, { migration_id: MIGRATION });
    await expect(outcome).rejects.toMatchObject({ code: "insufficient_scope" });
  });
});
