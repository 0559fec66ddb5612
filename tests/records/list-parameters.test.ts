import { beforeAll, describe, expect, test } from "vitest";

import { AppError } from "@/lib/errors";
import { importedId, newId } from "@/lib/ids";
import { execute, type Operation, valueOf } from "@/lib/operation";
import { listOperation } from "@/lib/records/operations";
import type { ResourceName } from "@/lib/records/schema/resources";
import { createContext, createUser, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

interface Page {
  data: { id: string; [field: string]: unknown }[];
  next_cursor: string | null;
  has_more: boolean;
  total?: number;
}

const context = await createContext();
const { organizationId } = context;

async function list(resource: ResourceName, parameters: object, by = context): Promise<Page> {
  return valueOf(await execute(listOperation(resource) as unknown as Operation, by, parameters)) as Page;
}

async function ids(resource: ResourceName, parameters: object): Promise<string[]> {
  return (await list(resource, parameters)).data.map(({ id }) => id);
}

/** All pages of two records each; checks that none is longer. */
async function walk(resource: ResourceName, parameters: object): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Page = await list(resource, { ...parameters, limit: 2, ...(cursor !== null && { cursor }) });
    expect(page.data.length).toBeLessThanOrEqual(2);
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
    if (cursor === null) return seen;
  }
}

async function faultsOf(resource: ResourceName, parameters: object): Promise<string[]> {
  const error = await list(resource, parameters).catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error(`It was not refused: ${JSON.stringify(error)}`);
  return error.errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
}

describe("filters", () => {
  test("enums, booleans, references, owners, e-mails and unique numbers are filters", async () => {
    const owner = await createUser(organizationId);
    const account = await insertRecord("accounts", organizationId);
    const wanted = await insertRecord("cases", organizationId, {
      status: "resolved",
      priority: "urgent",
      is_escalated: true,
      account_id: account,
      owner_id: owner,
      case_number: "00001234",
      ext_id: "5001",
    });
    await insertRecord("cases", organizationId, { case_number: "00001235", ext_id: "5002" });
    const filters = [
      { status: "resolved" },
      { priority: "urgent" },
      { is_escalated: "true" },
      { is_escalated: true },
      { account_id: account },
      { owner_id: owner.toUpperCase() },
      { status: "closed,resolved", priority: "urgent,low" },
      { status: "resolved,closed", sort: "subject" },
      { status: "resolved,resolved", order: "asc" },
      { case_number: "00001234" },
      { ext_id: "5001" },
      { status: "resolved", priority: "urgent", account_id: account, is_escalated: "true" },
    ];
    for (const filter of filters) expect(await ids("cases", filter)).toEqual([wanted]);
    expect(await ids("cases", { case_number: "00001234", status: "new" })).toEqual([]);
    expect(await ids("cases", { is_escalated: "false" })).not.toContain(wanted);
    const person = await insertRecord("contacts", organizationId, { email: "ada@example.com" });
    expect(await ids("contacts", { email: "ada@example.com" })).toEqual([person]);
    expect(await ids("contacts", { email: "ada@example" })).toEqual([]);
  });

  test("several values of an enum are merged page by page in the order of the list, and counted", async () => {
    const statuses = ["new", "qualified", "contacted", "new", "unqualified", "qualified"];
    const made: string[] = [];
    for (const status of statuses)
      made.push(await insertRecord("leads", organizationId, { status, company: "Merged" }));
    const wanted = made.filter((_, index) => statuses[index] === "new" || statuses[index] === "qualified");
    const several = { status: "new,qualified" };
    expect(await walk("leads", several)).toEqual(wanted.toReversed());
    expect(await walk("leads", { ...several, order: "asc" })).toEqual(wanted);
    expect((await walk("leads", { ...several, q: "merged" })).toSorted()).toEqual(wanted.toSorted());
    expect((await walk("leads", { ...several, "updated_at[gte]": "2020-01-01" })).toSorted()).toEqual(
      wanted.toSorted(),
    );
    for (const more of [{}, { q: "merged" }, { sort: "last_name" }])
      expect(await list("leads", { ...several, ...more, include: "total" })).toMatchObject({ total: wanted.length });
    await pool().query("DELETE FROM leads WHERE id = ANY ($1)", [made]);
  });

  test("`me` is whoever asks", async () => {
    const other = { ...context, userId: await createUser(organizationId) };
    const of = async ({ userId }: typeof context) => insertRecord("products", organizationId, { owner_id: userId });
    const [own, others] = [await of(context), await of(other)];
    const idsFor = async (by: typeof context) =>
      (await list("products", { owner_id: "me" }, by)).data.map(({ id }) => id);
    expect(await idsFor(context)).toEqual([own]);
    expect(await idsFor(other)).toEqual([others]);
  });

  test.each<[ResourceName, Record<string, string>, string]>([
    ["opportunities", { stage: "propsal" }, "/stage `stage` must be one of `prospecting`, "],
    ["opportunities", { stage: "propsal" }, "did you mean `proposal`?"],
    ["opportunities", { stage: "" }, "/stage `stage` must be one of "],
    ["opportunities", { is_closed: "yes" }, "/is_closed `is_closed` must be `true` or `false`."],
    ["opportunities", { stage: "proposal,negotation" }, "or several separated by commas; did you mean `negotiation`?"],
    ["opportunities", { stage: "proposal,," }, "/stage `stage` must be one of "],
    [
      "opportunities",
      { owner_id: "mine" },
      "/owner_id `owner_id` must be the id of a user: a UUID of version 7, or `me`.",
    ],
    ["opportunities", { owner_id: "ME" }, "/owner_id `owner_id` must be the id of a user"],
    ["opportunities", { account_id: "me" }, "/account_id `account_id` must be the id of a record"],
    ["opportunities", { "created_at[gte]": "yesterday" }, "/created_at[gte] `created_at[gte]` must be a time like"],
    ["opportunities", { "created_at[gte]": "2026-02-30" }, "must be a time like"],
    ["opportunities", { "created_at[gte]": "2026-01-01T00:00:00 02:00" }, "the + of an offset is %2B"],
    ["opportunities", { "created_at[gte]": "0000-01-01" }, "must be a time like"],
    ["opportunities", { "created_at[gte]": "1767225600" }, "must be a time like"],
    ["opportunities", { created_at: "2026-01-01" }, "did you mean `created_at["],
    ["opportunities", { "updated_at[get]": "2026-01-01" }, "did you mean `updated_at["],
    ["opportunities", { order: "up" }, "/order `order` must be `asc` or `desc`."],
    ["opportunities", { oder: "asc" }, "did you mean `order`?"],
    ["opportunities", { include: "totals" }, "/include `include` can be `total`."],
    ["opportunities", { fields: "nmae" }, "/fields `nmae` is not a field of opportunities; did you mean `name`?"],
    ["opportunities", { fields: "organization_id" }, "/fields `organization_id` is not a field of opportunities"],
    ["opportunities", { fields: "account" }, "`expand=account` shows it, whatever `fields` names"],
    ["opportunities", { fields: "" }, "/fields A name is empty"],
    ["opportunities", { fields: "name,,stage" }, "/fields A name is empty"],
    [
      "opportunities",
      { expand: "acount" },
      "/expand `acount` is not a reference of opportunities; did you mean `account`?",
    ],
    ["opportunities", { expand: "account.owner" }, "/expand `account.owner` is not a reference of opportunities"],
    ["opportunities", { expand: "constructor" }, "What can be expanded: owner, account, contact."],
    ["opportunities", { q: "" }, "/q `q` must have a letter or a digit"],
    ["opportunities", { q: "--- %" }, "/q `q` must have a letter or a digit"],
    ["opportunities", { q: "a".repeat(201) }, "at most 200 characters"],
    ["opportunities", { q: "a\0b" }, "/q `q` must have a letter"],
    ["case_comments", { q: "hello" }, "/q `q` is not known here"],
    ["opportunities", { name: "Drill" }, "/name `name` is not known here"],
  ])("%s by %j are refused: %s", async (resource, parameters, detail) => {
    expect((await faultsOf(resource, parameters)).join("\n")).toContain(detail);
  });
});

describe("times", () => {
  const times = [
    "2020-01-01T00:00:00.000Z",
    "2020-01-01T00:00:00.001Z",
    "2020-01-01T00:00:00.002Z",
    "2020-01-02T00:00:00.000Z",
  ] as const;
  const leads: string[] = [];

  beforeAll(async () => {
    for (const time of times)
      leads.push(await insertRecord("leads", organizationId, { created_at: time, updated_at: time }));
    await insertRecord("leads", organizationId, {
      created_at: "1960-05-05T00:00:00Z",
      updated_at: "1975-01-01T00:00:00Z",
    });
  });

  const ranges: [object, number[]][] = [
    [{ gte: times[1] }, [1, 2, 3]],
    [{ gt: times[1] }, [2, 3]],
    [{ lte: times[1], gte: times[0] }, [0, 1]],
    [{ lt: times[1], gte: times[0] }, [0]],
    [{ gt: times[0], lt: times[2] }, [1]],
    [{ gte: "2020-01-01T00:00:00.0005Z" }, [1, 2, 3]],
    [{ gt: "2020-01-01T00:00:00.0015Z" }, [2, 3]],
    [{ lt: "2020-01-01T00:00:00.0015Z", gte: times[0] }, [0, 1]],
    [{ lte: "2020-01-01T00:00:00.001000Z", gte: times[0] }, [0, 1]],
    [{ gte: "2020-01-01", lt: "2020-01-02" }, [0, 1, 2]],
    [{ gte: "2020-01-01T05:30:00.001+05:30", lt: "2021-01-01" }, [1, 2, 3]],
    [{ gt: times[2], gte: times[0] }, [3]],
    [{ gte: times[2], lt: times[1] }, []],
    [{ gt: "9999-12-31T23:59:59.999-23:59" }, []],
    [{ gte: times[0], lte: "9999-12-31T23:59:59.999-23:59" }, [0, 1, 2, 3]],
  ];

  test.each(ranges)(
    "records created and changed in the range %j are found, in both orders and page by page",
    async (range, expected) => {
      for (const field of ["created_at", "updated_at"]) {
        const parameters = Object.fromEntries(
          Object.entries(range).map(([comparison, time]) => [`${field}[${comparison}]`, time as string]),
        );
        const oldestFirst = expected.map((index) => leads[index]);
        expect(await walk("leads", { ...parameters, order: "asc" })).toEqual(oldestFirst);
        expect(await walk("leads", { ...parameters, order: "desc" })).toEqual(oldestFirst.toReversed());
        expect(await walk("leads", parameters)).toEqual(oldestFirst.toReversed());
        expect((await list("leads", { ...parameters, include: "total", limit: 1 })).total).toBe(expected.length);
      }
    },
  );

  test("both ranges apply together", async () => {
    const both = { "created_at[gte]": times[1], "updated_at[lte]": times[2] };
    expect(await walk("leads", both)).toEqual([leads[2], leads[1]]);
    expect((await list("leads", { ...both, include: "total" })).total).toBe(2);
  });

  test("records that change while a client pages through changed records are neither missed nor repeated", async () => {
    const own = await createContext();
    const since = { "updated_at[gte]": "2020-01-01", limit: 2 };
    const made: string[] = [];
    for (const time of times)
      made.push(await insertRecord("products", own.organizationId, { created_at: time, updated_at: time }));
    const first = await list("products", since, own);
    expect(first).toMatchObject({ data: [{ id: made[3] }, { id: made[2] }], next_cursor: made[2] });
    for (const id of [made[0], made[2]])
      await pool().query("UPDATE products SET updated_at = '2026-01-01' WHERE id = $1", [id]);
    const second = await list("products", { ...since, cursor: first.next_cursor }, own);
    expect(second).toMatchObject({ data: [{ id: made[1] }, { id: made[0] }], next_cursor: null });
  });

  test("too many changed records to sort are listed alike, by a scan of their ids", async () => {
    const own = await createContext();
    const template = await insertRecord("products", own.organizationId, { updated_at: "2019-01-01" });
    const copies = Array.from({ length: 5_100 }, (_, n) => ({
      id: importedId(own.organizationId, newId(), new Date(2020, 0, 1, 0, 0, n)),
      updated_at: times[n % 4],
    }));
    await pool().query(
      `INSERT INTO products SELECT (json_populate_record(template, copy)).*
        FROM products AS template, json_array_elements($2) AS copy WHERE id = $1`,
      [template, JSON.stringify(copies)],
    );
    const since = { "updated_at[gte]": times[0], limit: 200, include: "total" };
    const oldestFirst = copies.map(({ id }) => id);
    const newest = await list("products", since, own);
    expect([newest.data.map(({ id }) => id), newest.total]).toEqual([oldestFirst.slice(-200).toReversed(), 5_100]);
    // Behind this cursor there are few enough to be sorted.
    const few = await list("products", { ...since, cursor: oldestFirst[150] }, own);
    expect(few.data.map(({ id }) => id)).toEqual(oldestFirst.slice(0, 150).toReversed());
    const oldest = await list("products", { ...since, order: "asc", cursor: oldestFirst[0] }, own);
    expect(oldest.data.map(({ id }) => id)).toEqual(oldestFirst.slice(1, 201));
  });
});

test("the total counts the records of all pages under the same filters, and only when requested", async () => {
  const own = await createContext();
  for (let count = 0; count < 5; count++)
    await insertRecord("products", own.organizationId, { family: count < 3 ? "Drills" : "Saws" });
  expect(await list("products", {}, own)).not.toHaveProperty("total");
  const first = await list("products", { include: "total", family: "Drills", limit: 2 }, own);
  expect(first).toMatchObject({ total: 3, has_more: true });
  expect(
    await list("products", { include: "total", family: "Drills", limit: 2, cursor: first.next_cursor }, own),
  ).toMatchObject({
    total: 3,
    has_more: false,
  });
  expect(await list("products", { include: "total" }, own)).toMatchObject({ total: 5 });
  expect(await list("products", { include: "total", family: "Files" }, own)).toEqual({
    data: [],
    next_cursor: null,
    has_more: false,
    total: 0,
  });
});
