import { expect, test } from "vitest";

import { columnNames } from "@/components/records/list/view/columns";
import { writeView } from "@/components/records/list/view/list-view";
import type { Context } from "@/lib/context";
import { execute, type Operation, valueOf } from "@/lib/operation";
import { filterNames, isSearchable } from "@/lib/records/schema/list-address";
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES } from "@/lib/records/schema/resources";
import { getSavedViews, putSavedViews } from "@/lib/settings/views/saved-views";
import type { SavedViews } from "@/lib/settings/views/view-schema";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

async function run(operation: unknown, context: Context, input: unknown): Promise<SavedViews> {
  return valueOf(await execute(operation as Operation, context, input)) as SavedViews;
}

const read = (context: Context, resource = "leads") => run(getSavedViews, context, { resource });
const put = (context: Context, views: unknown, resource = "leads") => run(putSavedViews, context, { resource, views });

const MINE = { name: "Mine", query: "q=ada&sort=last_name", is_shared: false };
const OURS = { name: "Ours", query: "status=new", is_shared: true };

test("a person's views are put as a whole, per kind of record", async () => {
  const ada = await createContext();
  expect(await read(ada)).toEqual({ own: [], shared: [] });
  expect(await put(ada, [OURS, { ...MINE, name: "  Mine " }])).toEqual({ own: [MINE, OURS], shared: [] });
  expect(await read(ada, "accounts")).toEqual({ own: [], shared: [] });
  const renamed = { ...MINE, name: "Ada's" };
  expect(await put(ada, [renamed])).toEqual({ own: [renamed], shared: [] });
});

test("others in the organization see what is shared, and nobody elsewhere does", async () => {
  const ada = await createContext();
  const bob = await createContext({ organizationId: ada.organizationId, role: "member" });
  await put(ada, [MINE, OURS]);
  expect(await read(bob)).toEqual({ own: [], shared: [{ ...OURS, owner_name: "Ada Example" }] });
  await put(bob, [MINE]);
  expect((await read(ada)).own).toEqual([MINE, OURS]);
  expect(await read(await createContext())).toEqual({ own: [], shared: [] });
});

test("views stand in the alphabet, whatever their case and accents", async () => {
  const ada = await createContext();
  const views = ["Zürich", "ähnlich", "beta", "Alpha"].map((name) => ({ ...MINE, name, is_shared: true }));
  const names = ["ähnlich", "Alpha", "beta", "Zürich"];
  expect((await put(ada, views)).own.map(({ name }) => name)).toEqual(names);
  const bob = await createContext({ organizationId: ada.organizationId });
  expect((await read(bob)).shared.map(({ name }) => name)).toEqual(names);
});

test("views go with the membership of who saved them", async () => {
  const ada = await createContext();
  const bob = await createContext({ organizationId: ada.organizationId });
  await put(bob, [OURS]);
  await pool().query("DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2", [
    bob.organizationId,
    bob.userId,
  ]);
  expect(await read(ada)).toEqual({ own: [], shared: [] });
});

test.each([
  "q=ada&status=new&created_at%5Bgte%5D=2026-01-31&sort=last_name&order=desc&columns=company,email",
  "columns=",
])("the query %s of a list's address is taken", async (query) => {
  const { own } = await put(await createContext(), [MINE, { ...OURS, query }]);
  expect(own).toHaveLength(2);
});

test.each([
  ["status=new&colour=red", "has no parameter `colour`. It can have "],
  ["limit=5", "has no parameter `limit`"],
  ["__proto__=x", "has no parameter `__proto__`"],
  ["sort=password", "`sort` must be one of created_at"],
  ["order=up", "`order` must be asc or desc, not `up`."],
  ["columns=company,constructor", "A list of leads has no column `constructor`."],
  ["status=new&status=lost", "The parameter `status` is given twice."],
])("the query %s, which no list's address has, is refused: %s", async (query, fault) => {
  await expect(put(await createContext(), [MINE, { ...OURS, query }])).rejects.toMatchObject({
    errors: [{ pointer: "/views/1/query", detail: expect.stringContaining(fault) }],
  });
});

test("every view that the pages write can be saved", async () => {
  const ada = await createContext();
  for (const resource of RESOURCES) {
    const filters = Object.fromEntries(filterNames(resource).map((name) => [name, "x y"]));
    const shown = { filters, q: "", order: "asc", columns: columnNames(resource), timeZone: null } as const;
    const views = Object.keys(ENTITIES[resource].sortings).map((sort) => {
      const query = writeView(resource, { ...shown, sort, ...(isSearchable(resource) && { q: "a & b" }) });
      return { name: sort, query, is_shared: false };
    });
    expect((await put(ada, views, resource)).own).toHaveLength(views.length);
  }
});

test.each([
  ["a name that turns what is beside it", [{ ...MINE, name: "ad\u202Ea" }], "/views/0/name"],
  ["two of one name", [MINE, { ...OURS, name: "Mine" }], "/views"],
  ["a name of blanks", [{ ...MINE, name: "  " }], "/views/0/name"],
  ["a query that leads elsewhere", [{ ...MINE, query: "q=a b" }], "/views/0/query"],
  ["more than fifty", Array.from({ length: 51 }, (_, index) => ({ ...MINE, name: `${index}` })), "/views"],
])("%s are refused with the place of the fault", async (_, views, pointer) => {
  await expect(put(await createContext(), views)).rejects.toMatchObject({ errors: [{ pointer }] });
});
