import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { execute, type Operation, valueOf } from "@/lib/operation";
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
  ["two of one name", [MINE, { ...OURS, name: "Mine" }], "/views"],
  ["a name of blanks", [{ ...MINE, name: "  " }], "/views/0/name"],
  ["a query that leads elsewhere", [{ ...MINE, query: "q=a b" }], "/views/0/query"],
  ["more than fifty", Array.from({ length: 51 }, (_, index) => ({ ...MINE, name: `${index}` })), "/views"],
])("%s are refused with the place of the fault", async (_, views, pointer) => {
  await expect(put(await createContext(), views)).rejects.toMatchObject({ errors: [{ pointer }] });
});
