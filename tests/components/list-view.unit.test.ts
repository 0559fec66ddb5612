import { describe, expect, test } from "vitest";

import { isNarrowed, readView, writeView } from "@/components/records/list/view/list-view";
import { apiQuery, toRows } from "@/components/records/list/view/list-row";

const read = (query: string) => readView("contacts", new URLSearchParams(query));

describe("the view in a list's address", () => {
  test("is the newest records in the usual columns without a query", () => {
    const view = read("");
    expect(view).toEqual({ filters: {}, q: "", order: "desc", columns: ["title", "email", "phone", "created_at"] });
    expect(writeView("contacts", view)).toBe("");
    expect(isNarrowed(view)).toBe(false);
  });

  test("survives being written and read", () => {
    const query = "account_id=1&created_at%5Bgte%5D=2026-01-01&q=ada&order=asc&columns=owner_id%2Cphone";
    expect(writeView("contacts", read(query))).toBe(query);
    expect(isNarrowed(read(query))).toBe(true);
  });

  test("leaves out what is no filter, order or column of these records", () => {
    const view = read("stage=won&toString=x&order=up&columns=phone,stage,phone,constructor,custom_fields,last_name");
    expect(view).toEqual({ filters: {}, q: "", order: "desc", columns: ["phone"] });
  });
});

describe("the rows of a list", () => {
  test("are asked for with the fields of the name and the columns only, and with the names of references", () => {
    expect(Object.fromEntries(apiQuery("contacts", read("q=ada&columns=account_id")))).toEqual({
      q: "ada",
      fields: "id,first_name,last_name,account_id",
      expand: "account",
    });
    const amounts = apiQuery("opportunities", readView("opportunities", new URLSearchParams("columns=amount")));
    expect(amounts.get("fields")).toBe("id,name,amount,currency");
    const revenue = apiQuery("leads", readView("leads", new URLSearchParams("columns=annual_revenue")));
    expect(revenue.get("fields")).toBe("id,first_name,last_name,annual_revenue");
  });

  test("keep only the name of what they refer to", () => {
    const view = read("columns=account_id,owner_id,phone");
    const data = [
      {
        id: "c1",
        first_name: "Ada",
        last_name: "King",
        account_id: "a1",
        account: { id: "a1", name: "Engines", description: "long" },
        owner_id: null,
        owner: null,
        phone: "1",
      },
      { id: "c2", first_name: null, last_name: "", account_id: "gone", account: null, owner_id: null, phone: null },
    ];
    expect(toRows("contacts", view, { data, next_cursor: "c2" })).toEqual({
      rows: [
        {
          id: "c1",
          name: "Ada King",
          fields: { account_id: "a1", owner_id: null, phone: "1" },
          names: { account_id: "Engines" },
        },
        { id: "c2", name: "(no name)", fields: { account_id: "gone", owner_id: null, phone: null }, names: {} },
      ],
      next_cursor: "c2",
    });
  });
});
