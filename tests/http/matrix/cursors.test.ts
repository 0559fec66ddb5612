import { beforeAll, describe, expect, test } from "vitest";

import { pool } from "@/tests/support/owner";

import { send } from "@/tests/http/matrix/support/ask";
import { leaksOf } from "@/tests/http/matrix/support/kept";
import { type List, LISTS } from "@/tests/http/matrix/support/lists";
import { type Populated, populate } from "@/tests/http/matrix/support/populated";
import { createSides } from "@/tests/http/matrix/support/side";

let ours: Populated;
let theirs: Populated;

beforeAll(async () => {
  const sides = await createSides();
  [theirs, ours] = (await populate([sides.theirs, sides.ours])) as [Populated, Populated];
});

interface Page {
  data: unknown[];
  next_cursor: string | null;
  has_more: boolean;
  total?: number;
}

async function read({ route, path }: List, side: Populated, query: Record<string, string>) {
  const ask = { route, build: async () => ({}) };
  const { status, text } = await send(ask, { path: path?.(side) ?? {}, query: { limit: "200", ...query } }, side);
  return {
    status,
    text,
    page: JSON.parse(text) as Page & { code: string; errors?: { pointer: string; code: string }[] },
  };
}

const cases = LISTS.flatMap((list) => list.queries.map(({ name, of }) => ({ route: list.route, name, list, of })));

test.each(cases.filter(({ list }) => !list.looksUp))(
  "$route ($name) shows our own rows alone behind another organization's cursor",
  async ({ list, of }) => {
    const first = await read(list, theirs, { ...of(theirs), limit: "1" });
    const cursor = first.page.next_cursor ?? "";
    expect(first).toMatchObject({ status: 200, page: { has_more: true } });
    const next = await read(list, theirs, { ...of(theirs), cursor });
    expect(await leaksOf(theirs, next.text), "the owner sees what is there").not.toEqual([]);

    const all = await read(list, ours, of(ours));
    expect(all.page.data.length).toBeGreaterThanOrEqual(3);
    expect(await leaksOf(theirs, all.text)).toEqual([]);
    expect(all.page.total).toBe(of(ours).include === undefined ? undefined : all.page.data.length);

    const { status, text, page } = await read(list, ours, { ...of(ours), cursor });
    expect({ status, text }).toMatchObject({ status: 200 });
    expect(page.data.length).toBeGreaterThan(0);
    expect(page.data).toEqual(all.page.data.slice(-page.data.length));
    expect(page.total).toBe(all.page.total);
    expect(await leaksOf(theirs, text)).toEqual([]);
  },
);

test.each(cases.filter(({ list }) => list.looksUp))(
  "$route ($name) knows no cursor of another organization",
  async ({ list, of }) => {
    const cursor = (await read(list, theirs, { ...of(theirs), limit: "1" })).page.next_cursor ?? "";
    expect(cursor).not.toBe("");
    const { status, text, page } = await read(list, ours, { ...of(ours), cursor });
    expect({ status, errors: page.errors }).toMatchObject({
      status: 400,
      errors: [{ pointer: "?cursor", code: "invalid_cursor" }],
    });
    expect(await leaksOf(theirs, text)).toEqual([]);
  },
);

describe.each(LISTS)("$route", (list) => {
  test("takes a cursor of another organization's other lists as a position only, or refuses it", async () => {
    const all = await read(list, ours, {});
    for (const other of LISTS) {
      const cursor = (await read(other, theirs, { limit: "1" })).page.next_cursor;
      if (cursor === null || cursor === undefined) continue;
      const { status, text, page } = await read(list, ours, { cursor });
      expect([200, 400]).toContain(status);
      expect(page.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(
        status === 400 ? ["?cursor invalid_cursor"] : undefined,
      );
      expect(all.page.data).toEqual(expect.arrayContaining(page.data ?? []));
      expect(await leaksOf(theirs, text)).toEqual([]);
    }
  });
});

test.each(LISTS)("$route has no page for another organization's path", async (list) => {
  if (!list.path) return;
  const { status } = await send({ route: list.route, build: async () => ({}) }, { path: list.path(theirs) }, ours);
  expect(status).toBe(404);
});

test("the age of another organization's events hides none of ours", async () => {
  const events = LISTS.find(({ route }) => route === "GET /events") as List;
  const since = { "created_at[gte]": new Date(Date.now() - 3_600_000).toISOString() };
  const before = await read(events, ours, since);
  expect(before.page.data.length).toBeGreaterThan(3);
  await pool().query("UPDATE events SET created_at = created_at - interval '3 days' WHERE organization_id = $1", [
    theirs.organizationId,
  ]);
  expect((await read(events, ours, since)).page.data).toEqual(before.page.data);
});
