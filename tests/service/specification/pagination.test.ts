import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { create, createAtOnce, ENTITY_NAMES } from "@/tests/service/specification/support/entities";
import { deleteWebhooks, type List, listsOf, NOWHERE, OF_MIGRATION } from "@/tests/service/specification/support/lists";
import { type Api, openApi, type Page, UUID } from "@/tests/service/specification/support/service";

type Row = Record<string, string>;

/** A list, read from its first page to its last. */
interface Whole extends List {
  rows: Row[];
  last: Page<Row> | undefined;
  /** As many as the service counts, if it counts them. */
  total: number | undefined;
}

let api: Api;
let lists: List[];
let wholes: Whole[];
beforeAll(async () => {
  api = await openApi();
  lists = await listsOf(api);
  wholes = [];
  for (const list of lists) wholes.push(await readWhole(list));
});
afterAll(() => deleteWebhooks(api, NOWHERE));

async function readWhole(list: List): Promise<Whole> {
  const rows: Row[] = [];
  let last: Page<Row> | undefined;
  for await (const page of api.pages<Row>(list.path, 200)) {
    rows.push(...page.data);
    last = page;
  }
  return { ...list, rows, last, total: await totalOf(list) };
}

/** Lists of records count them on request. */
async function totalOf({ path }: List): Promise<number | undefined> {
  if (!ENTITY_NAMES.some((entity) => path === `/${entity}`)) return undefined;
  return (await api.must<{ total: number }>("GET", `${path}?limit=1&include=total`)).total;
}

/**
 * The lists whose answer differs from the expected one. One test covers all lists, and its failure names those that
 * differ.
 */
async function listsThat<T>(ask: (list: List) => Promise<T>): Promise<Record<string, T>> {
  const entries: [string, T][] = [];
  for (const list of lists) entries.push([list.path, await ask(list)]);
  return Object.fromEntries(entries);
}

/** A path with the names of its parameters, or their values, left out. */
function routeOf(path: string): string {
  return path.replaceAll(/\{\w+\}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, "{}");
}

const OF_ONE_MIGRATION = OF_MIGRATION.map((list) => `/migration/{}/${list}`);

/** Lists that may have fewer than three records: imports fill them, or they are of people or connected orgs. */
const MAY_BE_SHORT = new Set([...OF_ONE_MIGRATION, "/files", "/users", "/migration/connections"]);

/** Lists whose records have no time by which they are ordered. */
const WITHOUT_TIME = [...OF_ONE_MIGRATION, "/deleted_records", "/files", "/users"];

function every<T>(value: T): Record<string, T> {
  return Object.fromEntries(lists.map(({ path }) => [path, value]));
}

test("the lists are all that the reference has", async () => {
  const { paths } = await api.must<{ paths: Record<string, { get?: object }> }>("GET", "/openapi.json");
  const documented = Object.entries(paths).filter(([, { get = {} }]) => JSON.stringify(get).includes("next_cursor"));
  expect(lists.map(({ path }) => routeOf(path)).toSorted()).toEqual(
    documented.map(([path]) => routeOf(path)).toSorted(),
  );
});

describe("2. Page envelope (all list responses)", () => {
  test("the fields are data, next_cursor and has_more", async () => {
    const answers = await listsThat(async ({ path }) => Object.keys((await api.get<Page>(path)).body).toSorted());
    expect(answers).toEqual(every(["data", "has_more", "next_cursor"]));
  });

  test("data is an array of the records, next_cursor a UUID or null, has_more the right boolean", async () => {
    const answers = await listsThat(async ({ path }) => {
      const { data, next_cursor, has_more } = (await api.get<Page>(`${path}?limit=1`)).body;
      return Array.isArray(data) && (has_more ? UUID.test(next_cursor ?? "") : next_cursor === null);
    });
    expect(answers).toEqual(every(true));
  });

  test("next_cursor is null and has_more false when there are no more records", () => {
    for (const { path, id, rows, last } of wholes) {
      const seen = rows.map((row) => row[id] ?? "");
      expect([path, last]).toMatchObject([path, { next_cursor: null, has_more: false }]);
      expect([`${path} shows each once`, new Set(seen).size]).toEqual([`${path} shows each once`, seen.length]);
    }
  });

  test("has_more is false on a last page that is exactly full", async () => {
    const thread = await create(api, "cases");
    for (const body of ["first", "second"]) await api.must("POST", `/cases/${thread.id}/comments`, { body });
    const page = await api.get<Page>(`/cases/${thread.id}/comments?limit=2`);
    expect(page.body).toMatchObject({
      data: [{ body: "first" }, { body: "second" }],
      next_cursor: null,
      has_more: false,
    });
  });

  test("the pages together hold all records, as many as the service counts", () => {
    const counted = wholes.filter(({ total }) => total !== undefined);
    expect(counted.map(({ path }) => path)).toEqual(ENTITY_NAMES.map((entity) => `/${entity}`));
    for (const { path, rows, total } of counted) expect([path, rows.length]).toEqual([path, total]);
  });
});

describe("4. Pagination rules (all list endpoints), 8. Limits", () => {
  test("limit is 50 by default", async () => {
    for (const entity of ENTITY_NAMES) {
      await createAtOnce(api, entity, 51);
      const { body } = await api.get<Page>(`/${entity}`);
      expect([entity, body.data.length]).toEqual([entity, 50]);
      expect([entity, body]).toMatchObject([entity, { has_more: true, next_cursor: body.data.at(-1)?.id }]);
    }
  });

  test("limit is 50 by default in the thread of a case, the deliveries of a webhook and the events too", async () => {
    const thread = await create(api, "cases");
    const webhook = await api.must("POST", "/webhooks", { url: NOWHERE, events: ["account.created"], active: true });
    const items = Array.from({ length: 51 }, (_, i) => ({
      action: "create",
      data: { case_id: thread.id, body: `${i}` },
    }));
    await api.must("POST", "/case_comments/batch", { mode: "all_or_nothing", items });
    await createAtOnce(api, "accounts", 51);
    for (const path of [`/cases/${thread.id}/comments`, `/webhooks/${webhook.id}/deliveries`, "/events"]) {
      expect([path, (await api.get<Page>(path)).body.data.length]).toEqual([path, 50]);
    }
  });

  test("limit ranges from 1: a page of one, and the list goes on where it has more", async () => {
    const short: string[] = [];
    for (const { path } of lists) {
      const { data, has_more } = (await api.get<Page>(`${path}?limit=1`)).body;
      const two = (await api.get<Page>(`${path}?limit=2`)).body.data.length;
      expect([path, data.length, has_more]).toEqual([path, Math.min(1, two), two > 1]);
      if (two < 2) short.push(routeOf(path));
    }
    expect(short.filter((route) => !MAY_BE_SHORT.has(route))).toEqual([]);
  });

  test("limit ranges to 200", async () => {
    await createAtOnce(api, "products", 200);
    await create(api, "products");
    expect((await api.get<Page>("/products?limit=200")).body.data.length).toBe(200);
    expect(await listsThat(async ({ path }) => (await api.get(`${path}?limit=200`)).status)).toEqual(every(200));
  });

  test.each(["0", "201", "-1", "1.5", "ten", ""])("a limit of “%s” is refused", async (limit) => {
    expect(await listsThat(async ({ path }) => (await api.get(`${path}?limit=${limit}`)).status)).toEqual(every(400));
  });

  test("results are ordered by created_at descending, unless stated otherwise for the endpoint", () => {
    const [timed, untimed] = [wholes.filter(({ time }) => time), wholes.filter(({ time }) => !time)];
    expect(untimed.map(({ path }) => routeOf(path)).toSorted()).toEqual(WITHOUT_TIME.toSorted());
    for (const { path, time = "", oldestFirst, rows } of timed) {
      const times = rows.map((row) => Date.parse(row[time] ?? ""));
      expect([path, times]).toEqual([path, times.toSorted((a, b) => (oldestFirst ? a - b : b - a))]);
      expect(times).not.toContain(Number.NaN);
    }
  });

  test("next_cursor is the id of the last record of the page", async () => {
    for (const { path, id } of lists) {
      const { data, next_cursor, has_more } = (await api.get<Page<Row>>(`${path}?limit=1`)).body;
      expect([path, next_cursor]).toEqual([path, has_more ? data.at(-1)?.[id] : null]);
    }
  });

  test("any record's id is a cursor: what follows it is what followed it in the list", async () => {
    const short: string[] = [];
    for (const { path, id } of lists) {
      const [, second, third] = (await api.get<Page<Row>>(`${path}?limit=3`)).body.data;
      if (!second || !third) {
        short.push(routeOf(path));
        continue;
      }
      const after = await api.get<Page<Row>>(`${path}?limit=1&cursor=${second[id]}`);
      expect([path, after.body.data]).toMatchObject([path, [{ [id]: third[id] }]]);
    }
    expect(short.filter((route) => !MAY_BE_SHORT.has(route))).toEqual([]);
  });

  test("the cursor is never an offset: a number is refused as cursor, and there is no offset", async () => {
    expect(await listsThat(async ({ path }) => (await api.get(`${path}?cursor=50`)).status)).toEqual(every(400));
    expect(await listsThat(async ({ path }) => (await api.get(`${path}?offset=50`)).status)).toEqual(every(400));
  });

  test("the cursor is a record id in a filtered list and in one of the other order too", async () => {
    const marker = `Spec${crypto.randomUUID().slice(0, 8)}`;
    for (let i = 0; i < 3; i++) await create(api, "accounts", { name: `${marker} ${i}`, type: marker });
    for (const query of [`q=${marker}`, `type=${marker}`, "order=asc", "created_at[gte]=2000-01-01", "fields=name"]) {
      const { data, next_cursor } = (await api.get<Page>(`/accounts?limit=2&${query}`)).body;
      expect([query, next_cursor]).toEqual([query, data.at(-1)?.id]);
    }
  });

  test("the cursor is always a record id: of what has changed too", async () => {
    for (let i = 0; i < 2; i++) await create(api, "accounts");
    const { data, next_cursor } = (await api.get<Page>("/accounts?limit=1&updated_at[gte]=2000-01-01")).body;
    expect(next_cursor).toBe(data.at(-1)?.id);
  });
});

describe("4. Paging is stable: inserts and deletes between page requests cause no duplicates or gaps", () => {
  test.each(ENTITY_NAMES)("%s, of which several were created at the same moment", async (entity) => {
    const there = new Set((await createAtOnce(api, entity, 12)).map(({ id }) => id));
    const inserted = new Set<string>();
    const seen: string[] = [];
    for await (const page of api.pages(`/${entity}`, 3)) {
      const ids = page.data.map(({ id }) => id);
      seen.push(...ids);
      if (!ids.some((id) => there.has(id))) break;
      inserted.add((await create(api, entity)).id);
      // Deletes the record of the cursor, and one that no page has contained.
      const unseen = [...there].find((id) => !seen.includes(id) && there.size > 6);
      const cursor = ids.findLast((id) => id === ids.at(-1) && there.has(id));
      for (const id of [cursor, unseen]) if (id) await api.must("DELETE", `/${entity}/${id}`);
      if (unseen) there.delete(unseen);
    }
    expect(["no duplicates", new Set(seen).size]).toEqual(["no duplicates", seen.length]);
    expect(["no gaps", seen.filter((id) => there.has(id)).length]).toEqual(["no gaps", there.size]);
    expect(["what is inserted is newer than what was seen", seen.filter((id) => inserted.has(id))]).toEqual([
      "what is inserted is newer than what was seen",
      [],
    ]);
  });

  test("webhooks", async () => {
    const hook = { url: NOWHERE, events: ["account.created"], active: false };
    const made: string[] = [];
    for (let i = 0; i < 4; i++) made.unshift((await api.must("POST", "/webhooks", hook)).id);
    const first = await api.must<Page>("GET", "/webhooks?limit=2");
    expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
    await api.must("POST", "/webhooks", hook);
    await api.must("DELETE", `/webhooks/${first.next_cursor}`);
    const second = await api.must<Page>("GET", `/webhooks?limit=2&cursor=${first.next_cursor}`);
    expect(second.data.map(({ id }) => id)).toEqual(made.slice(2));
  });

  test("the thread of a case", async () => {
    const thread = `/cases/${(await create(api, "cases")).id}/comments`;
    const made: string[] = [];
    const add = async () => void made.push((await api.must("POST", thread, { body: "next" })).id);
    for (let i = 0; i < 4; i++) await add();
    const first = await api.must<Page>("GET", `${thread}?limit=2`);
    await add();
    await api.must("DELETE", `/case_comments/${first.next_cursor}`);
    const rest = await api.must<Page>("GET", `${thread}?limit=3&cursor=${first.next_cursor}`);
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(made);
  });

  test("stage changes and events", async () => {
    const { id } = await create(api, "opportunities");
    const move = (stage: string) => api.must("PATCH", `/opportunities/${id}`, { stage });
    for (const stage of ["qualification", "proposal", "negotiation"]) await move(stage);
    for (const path of [`/opportunities/${id}/stage_changes?`, `/events?record_id=${id}&`]) {
      const before = (await api.all(path.slice(0, -1))).map((row) => row.id);
      const first = await api.must<Page>("GET", `${path}limit=2`);
      await move("closed_won");
      await move("proposal");
      const rest = await api.must<Page>("GET", `${path}limit=200&cursor=${first.next_cursor}`);
      expect([...first.data, ...rest.data].map((row) => row.id)).toEqual(before);
    }
  });
});
