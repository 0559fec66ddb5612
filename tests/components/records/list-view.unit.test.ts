import { describe, expect, test } from "vitest";

import { dependsOnBrowser, isNarrowed, narrowing, readView, writeView } from "@/components/records/list/view/list-view";
import { columnNames } from "@/components/records/list/view/columns";
import { apiQuery, toRows } from "@/components/records/list/view/list-row";
import { leftOutOf } from "@/components/records/list/view/left-out";
import { nextSorting, sortingOf, sortings, sortOfColumn } from "@/components/records/list/view/sortings";
import { fieldLabel } from "@/components/ui/text/format";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

const read = (query: string) => readView("contacts", new URLSearchParams(query), "Europe/Berlin");

const ID = "01890000-0000-7000-8000-000000000000";

const USUAL = { filters: {}, q: "", sort: "created_at", order: "desc", timeZone: "Europe/Berlin" };

describe("the view in a list's address", () => {
  test("is the newest records in the usual columns without a query", () => {
    const view = read("");
    expect(view).toEqual({ ...USUAL, columns: ["title", "email", "phone", "created_at"] });
    expect(writeView("contacts", view)).toBe("");
    expect(isNarrowed(view)).toBe(false);
  });

  test("survives being written and read", () => {
    const query = `account_id=${ID}&created_at%5Bgte%5D=2026-01-01&q=ada&order=asc&columns=owner_id%2Cphone`;
    expect(writeView("contacts", read(query))).toBe(query);
    expect(isNarrowed(read(query))).toBe(true);
  });

  test("leaves out what is no filter, order or column of these records", () => {
    const view = read("stage=won&toString=x&order=up&columns=phone,stage,phone,constructor,custom_fields,last_name");
    expect(view).toEqual({ ...USUAL, columns: ["phone"] });
  });

  test.each([
    ["contacts", "created_at[gte]=2026-02-31&updated_at[gte]=2026-02-31T00:00:00Z"],
    ["contacts", "account_id=xyz&q=%25%27&created_at[gte]=2026-13-01&updated_at[lt]=2026-01-01T10:00"],
    ["contacts", "migration_id=1&ext_id="],
    ["cases", "status=new,open&owner_id=mine&account_id=me"],
    ["cases", "status=open&is_escalated=maybe&account_id=01890000-0000-4000-8000-000000000000"],
  ] as const)("leaves out values that the API refuses: %s?%s", (resource, query) => {
    expect(writeView(resource, readView(resource, new URLSearchParams(query), null))).toBe("");
  });

  test("keeps the beginning of very long words, and values that the API takes", () => {
    expect(read(`q=${"a".repeat(300)}`).q).toHaveLength(200);
    const cases = `account_id=${ID}&is_escalated=true&status=in_progress`;
    expect(writeView("cases", readView("cases", new URLSearchParams(cases), null))).toBe(cases);
    const mine = readView("cases", new URLSearchParams("owner_id=me&status=new,on_hold"), null);
    expect(mine.filters).toEqual({ owner_id: "me", status: "new,on_hold" });
    // Half a character would be no address.
    expect(read(`q=${"a".repeat(199)}${encodeURIComponent("𝄞")}`).q).toBe("a".repeat(199));
  });
});

test.each(RESOURCES)("no two columns of %s have the same title", (resource) => {
  const titles = columnNames(resource).map(fieldLabel);
  expect(titles).toEqual([...new Set(titles)]);
});

function leftOut(resource: ResourceName, query: string): string[][] {
  const search = new URLSearchParams(query);
  return leftOutOf(resource, search, readView(resource, search, null)).map(({ label, value }) => [label, value]);
}

describe("what a view leaves out of its address", () => {
  test.each([
    ["cases", "status=__nope", [["Status", "__nope"]]],
    ["contacts", "account_id=%00", [["Account", "\ufffd"]]],
    ["contacts", "created_at[gte]=2026-13-01", [["Created from", "2026-13-01"]]],
    ["contacts", "migration_id=1", [["Migrated by", "1"]]],
    [
      "contacts",
      "stage=won&toString=x",
      [
        ["stage", "won"],
        ["toString", "x"],
      ],
    ],
    [
      "contacts",
      "sort=phone&order=up",
      [
        ["Order", "phone"],
        ["Order", "up"],
      ],
    ],
    [
      "contacts",
      "columns=phone,stage,custom_fields,stage",
      [
        ["Column", "stage"],
        ["Column", "custom_fields"],
      ],
    ],
    ["contacts", "q=%25", [["Search", "%"]]],
    ["cases", "status=new&status=closed", [["Status", "closed"]]],
  ] as const)("is said in the page's words: %s?%s", (resource, query, parts) => {
    expect(leftOut(resource, query)).toEqual(parts);
  });

  test.each([
    ["contacts", ""],
    ["contacts", `account_id=${ID}&created_at%5Bgte%5D=2026-01-01&q=ada&sort=last_name&order=desc&columns=phone`],
    ["cases", "status=&q=&columns="],
    ["cases", `q=${"a".repeat(300)}`],
  ] as const)("is nothing where the view has all of it: %s?%s", (resource, query) => {
    expect(leftOut(resource, query)).toEqual([]);
  });

  test("is short enough for a sentence", () => {
    expect(leftOut("cases", `status=${"a".repeat(300)}`)[0]?.[1]).toHaveLength(61);
  });
});

describe("the order of a list", () => {
  test("is in the address unless it is the usual one", () => {
    expect(read("sort=last_name")).toMatchObject({ sort: "last_name", order: "asc" });
    expect(writeView("contacts", read("sort=last_name&order=asc"))).toBe("sort=last_name");
    expect(writeView("contacts", read("sort=last_name&order=desc"))).toBe("sort=last_name&order=desc");
    expect(read("sort=phone")).toMatchObject({ sort: "created_at", order: "desc" });
  });

  test("begins with the usual direction when the title of a column is chosen, then turns round", () => {
    const newest = { sort: "created_at", order: "desc" } as const;
    expect(sortOfColumn("contacts", null)).toBe("last_name");
    expect(sortOfColumn("contacts", "phone")).toBeUndefined();
    expect(nextSorting("contacts", newest, "last_name")).toEqual({ sort: "last_name", order: "asc" });
    expect(nextSorting("contacts", { sort: "last_name", order: "asc" }, "last_name")).toMatchObject({ order: "desc" });
    expect(nextSorting("contacts", newest, "created_at")).toEqual({ sort: "created_at", order: "asc" });
  });

  test("has a name for each of its choices", () => {
    expect(sortings("cases").map(({ label }) => label)).toEqual([
      "Newest first",
      "Oldest first",
      "Last changed first",
      "Last changed last",
      "A to Z",
      "Z to A",
    ]);
    expect(sortings("opportunities").slice(-4)).toEqual([
      { value: "close_date asc", label: "Closing first" },
      { value: "close_date desc", label: "Closing last" },
      { value: "amount desc", label: "Largest amount first" },
      { value: "amount asc", label: "Smallest amount first" },
    ]);
    for (const { value } of sortings("cases")) expect(Object.values(sortingOf(value)).join(" ")).toBe(value);
  });
});

describe("the days of filters", () => {
  const view = read("created_at[gte]=2026-03-29&created_at[lt]=2026-03-30&updated_at[lt]=2026-01-01T00:00:00Z");

  test("begin in the organization's time zone, also when the clocks change", () => {
    expect(Object.fromEntries(narrowing("contacts", view))).toEqual({
      "created_at[gte]": "2026-03-28T23:00:00.000Z",
      "created_at[lt]": "2026-03-29T22:00:00.000Z",
      "updated_at[lt]": "2026-01-01T00:00:00Z",
    });
  });

  test("stay days in the address", () => {
    expect(new URLSearchParams(writeView("contacts", view)).get("created_at[gte]")).toBe("2026-03-29");
  });

  test("are known to the server only if the organization has a time zone", () => {
    expect(dependsOnBrowser(view)).toBe(false);
    expect(dependsOnBrowser({ ...view, timeZone: null })).toBe(true);
    expect(dependsOnBrowser({ ...read("q=ada"), timeZone: null })).toBe(false);
  });
});

describe("the rows of a list", () => {
  test("are asked for with the fields of the name and the columns only, and with the names of references", () => {
    expect(Object.fromEntries(apiQuery("contacts", read("q=ada&columns=account_id")))).toEqual({
      q: "ada",
      fields: "id,version,first_name,last_name,account_id",
      expand: "account",
    });
    const amounts = apiQuery("opportunities", readView("opportunities", new URLSearchParams("columns=amount"), null));
    expect(amounts.get("fields")).toBe("id,version,name,amount,currency");
    const revenue = apiQuery("leads", readView("leads", new URLSearchParams("columns=annual_revenue"), null));
    expect(revenue.get("fields")).toBe("id,version,first_name,last_name,annual_revenue");
  });

  test("name the member who wrote a comment in the column of the author's name", () => {
    const view = readView("case_comments", new URLSearchParams("columns=author_name,author_id"), null);
    expect(apiQuery("case_comments", view).get("expand")).toBe("author");
    const comment = { id: "e1", version: 1, body: "Oil", author_name: null, author_id: "u1" };
    const page = { data: [{ ...comment, author: { id: "u1", name: "Grace" } }], next_cursor: null };
    expect(toRows("case_comments", view, page).rows[0]?.names).toEqual({ author_name: "Grace", author_id: "Grace" });
  });

  test("keep only the name of what they refer to", () => {
    const view = read("columns=account_id,owner_id,phone");
    const data = [
      {
        id: "c1",
        version: 3,
        first_name: "Ada",
        last_name: "King",
        account_id: "a1",
        account: { id: "a1", name: "Engines", description: "long" },
        owner_id: null,
        owner: null,
        phone: "1",
      },
      {
        id: "c2",
        version: 1,
        first_name: null,
        last_name: "",
        account_id: "gone",
        account: null,
        owner_id: null,
        phone: null,
      },
    ];
    expect(toRows("contacts", view, { data, next_cursor: "c2" })).toEqual({
      rows: [
        {
          id: "c1",
          name: "Ada King",
          version: 3,
          fields: { account_id: "a1", owner_id: null, phone: "1" },
          names: { account_id: "Engines" },
        },
        {
          id: "c2",
          name: "(no name)",
          version: 1,
          fields: { account_id: "gone", owner_id: null, phone: null },
          names: {},
        },
      ],
      next_cursor: "c2",
    });
  });
});
