import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { inOrganization } from "@/lib/database/organization-scope";
import { Download, execute } from "@/lib/operation";
import { exportOperation } from "@/lib/records/list/export-records";
import { findRecords } from "@/lib/records/list/find-records";
import type { ListRequest } from "@/lib/records/list/list-input";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { createContext, createOrganization, insertRecord } from "@/tests/support/factories";

let context: Context;

beforeAll(async () => {
  context = await createContext();
});

async function download(resource: ResourceName, parameters: object = {}): Promise<Download> {
  const result = await execute(exportOperation(resource), context, parameters);
  expect(result).toBeInstanceOf(Download);
  return result as Download;
}

async function rowsOf(resource: ResourceName, parameters: object = {}): Promise<Record<string, string>[]> {
  const { body } = await download(resource, parameters);
  const bytes = Buffer.from(await new Response(body).arrayBuffer());
  return parse(bytes, { bom: true, columns: true, record_delimiter: "\r\n" });
}

async function namesOf(parameters: object): Promise<(string | undefined)[]> {
  const rows = await rowsOf("accounts", { q: "zeph", fields: "name", ...parameters });
  return rows.map(({ name }) => name);
}

describe("an export", () => {
  test("has every record of the filter and of no other organization, in the list's order", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 410; index++)
      ids.push(
        await insertRecord("contacts", context.organizationId, { last_name: `N${index}`, email: "a@many.example" }),
      );
    await insertRecord("contacts", context.organizationId, { last_name: "Other", email: "b@many.example" });
    await insertRecord("contacts", await createOrganization(), { last_name: "Theirs", email: "a@many.example" });
    const oldestFirst = await rowsOf("contacts", { email: "a@many.example", order: "asc", fields: "last_name" });
    expect(oldestFirst).toEqual(ids.map((id, index) => ({ id, last_name: `N${index}` })));
    const newestFirst = await rowsOf("contacts", { email: "a@many.example", fields: "id" });
    expect(newestFirst.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test("of a search has what it finds, once, in each of the list's orders", async () => {
    const names = Array.from({ length: 230 }, (_, index) => `Zephyr ${String((index * 7) % 230).padStart(3, "0")}`);
    for (const name of names) await insertRecord("accounts", context.organizationId, { name });
    await insertRecord("accounts", await createOrganization(), { name: "Zephyr elsewhere" });
    expect(await namesOf({})).toEqual(names.toReversed());
    expect(await namesOf({ order: "asc" })).toEqual(names);
    expect(await namesOf({ sort: "name" })).toEqual(names.toSorted());
    expect(await namesOf({ sort: "name", order: "desc" })).toEqual(names.toSorted().toReversed());
    expect(await namesOf({ q: "zeph 007" })).toEqual(["Zephyr 007"]);
  });

  test.each([undefined, "name", "updated_at"])(
    "finds the records of a search part by part, sorted by %s, without gaps",
    async (sort) => {
      const organizationId = await createOrganization();
      const ids: string[] = [];
      for (const name of ["Quill", "Quilt B", "Quilt A", "Quilt A", "Other"])
        ids.push(await insertRecord("accounts", organizationId, { name }));
      const request = { q: "quil", sort, order: "asc" as const, limit: 2, filters: {}, total: false };
      const find = (from: ListRequest) =>
        inOrganization(organizationId, () => findRecords(ENTITIES.accounts, organizationId, from));
      const first = await find(request);
      const second = await find(first.next ?? request);
      expect(second.next).toBeNull();
      const [quill, b, a, other] = ids;
      const expected = sort === "name" ? [quill, a, other, b] : [quill, b, a, other];
      expect([...first.ids, ...second.ids]).toEqual(expected);
    },
  );

  test("has every field, and writes texts that could be formulas as texts", async () => {
    const id = await insertRecord("accounts", context.organizationId, {
      name: '=HYPERLINK("http://evil.example","x")',
      phone: "+49 30 1",
      annual_revenue: -5,
      description: "two\nlines, ä",
      custom_fields: { tier: "gold" },
    });
    const [row] = await rowsOf("accounts", { q: "evil" });
    expect(Object.keys(row ?? {})).toEqual(Object.keys(ENTITIES.accounts.fields));
    expect(row).toMatchObject({
      id,
      name: `'=HYPERLINK("http://evil.example","x")`,
      phone: "'+49 30 1",
      annual_revenue: "-5",
      description: "two\nlines, ä",
      custom_fields: '{"tier":"gold"}',
      industry: "",
    });
  });

  test("as NDJSON has the same records as JSON, a line each", async () => {
    const fields = "id,last_name,do_not_call,custom_fields";
    const found = { email: "a@many.example", fields };
    const { body, headers } = await download("contacts", { ...found, format: "ndjson" });
    expect(headers).toMatchObject({ "content-disposition": 'attachment; filename="contacts.ndjson"' });
    const lines = (await new Response(body).text()).trimEnd().split("\n");
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records[0]).toMatchObject({ last_name: "N409", do_not_call: false, custom_fields: {} });
    const rows = await rowsOf("contacts", found);
    expect(records.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  test("says truth values in words", async () => {
    await insertRecord("products", context.organizationId, { name: "Pump", is_active: false });
    expect(await rowsOf("products", { fields: "name,is_active" })).toMatchObject([
      { name: "Pump", is_active: "false" },
    ]);
  });

  test("has the named fields in their order, after the id", async () => {
    const { body } = await download("leads", { email: "nobody@nowhere.example", fields: "email,company,last_name" });
    expect(await new Response(body).text()).toBe('"id","email","company","last_name"\r\n');
  });

  test("has the name of an expanded reference behind its id, and behind all where the id is no column", async () => {
    const name = "Neckar Pumpen";
    const account = await insertRecord("accounts", context.organizationId, { name });
    const email = "b@named.example";
    const named = { account_id: account, last_name: "Okafor", email };
    const boss = await insertRecord("contacts", context.organizationId, { ...named, first_name: "Mira" });
    await insertRecord("contacts", context.organizationId, { ...named, reports_to_id: boss, email: "a@named.example" });
    const { body } = await download("contacts", {
      email: "a@named.example",
      fields: "account_id,last_name",
      expand: "account,reports_to",
    });
    const [head, row] = (await new Response(body).text()).split("\r\n");
    expect(head).toBe('"id","account_id","account","last_name","reports_to"');
    expect(row).toMatch(new RegExp(`"${account}","${name}","Okafor","Mira Okafor"$`));
    const [alone] = await rowsOf("contacts", { email, fields: "reports_to_id", expand: "reports_to" });
    expect(alone).toEqual({ id: boss, reports_to_id: "", reports_to: "" });
    const leak = await insertRecord("cases", context.organizationId, { subject: "Leak", case_number: "00001027" });
    await insertRecord("cases", context.organizationId, {
      subject: "Pump fails",
      account_id: account,
      parent_case_id: leak,
    });
    const [below] = await rowsOf("cases", { account_id: account, fields: "subject", expand: "parent_case" });
    expect(below).toMatchObject({ subject: "Pump fails", parent_case: "00001027 Leak" });
  });

  test("expands nothing that the token may not read", async () => {
    const reader = { ...context, scopes: new Set(["erp:read"] as const) };
    await expect(execute(exportOperation("products"), reader, { expand: "owner" })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
  });

  test("of nothing has only the head", async () => {
    const { body, headers } = await download("leads", { email: "nobody@nowhere.example", fields: "id,email" });
    expect(headers["content-disposition"]).toBe('attachment; filename="leads.csv"');
    expect(await new Response(body).text()).toBe('"id","email"\r\n');
  });

  test("reads no further than its client does", async () => {
    const { body } = await download("contacts", { email: "a@many.example" });
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    await expect(reader.closed).resolves.toBeUndefined();
  });

  test("takes no parameters of pages", async () => {
    await expect(execute(exportOperation("contacts"), context, { limit: 5 })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});
