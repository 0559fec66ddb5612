import { describe, expect, test } from "vitest";

import type { AppError } from "@/lib/errors";
import { execute, type Operation, valueOf } from "@/lib/operation";
import { getByExtIdOperation } from "@/lib/records/ext-id-operations";
import { getOperation, listOperation } from "@/lib/records/operations";
import { type ResourceName, RESOURCES } from "@/lib/records/schema/resources";
import { createContext, createUser, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const context = await createContext();
const { organizationId } = context;

type Answer = Record<string, unknown>;

async function get(resource: ResourceName, id: string, parameters: object = {}, by = context): Promise<Answer> {
  const operation = getOperation(resource) as unknown as Operation;
  const answer = valueOf(await execute(operation, by, { id, ...parameters })) as Answer;
  return operation.output.parse(answer) as Answer;
}

async function getBy(resource: ResourceName, ext_id: string, parameters: object, by = context): Promise<Answer> {
  const operation = getByExtIdOperation(resource);
  const answer = valueOf(await execute(operation, by, { ext_id, ...parameters })) as Answer;
  return operation.output.parse(answer) as Answer;
}

/** The record in a list, which must equal the result of getting it. */
async function listed(resource: ResourceName, id: string, parameters: object): Promise<Answer | undefined> {
  const operation = listOperation(resource) as unknown as Operation;
  const page = valueOf(await execute(operation, context, { ...parameters, limit: 200 })) as { data: Answer[] };
  operation.output.parse(page);
  return page.data.find((record) => record.id === id);
}

describe("fields", () => {
  test.each(RESOURCES)(
    "%s show the requested fields, always the id, in the usual order, and with the usual values",
    async (resource) => {
      const inCase = resource === "case_comments" ? { case_id: await insertRecord("cases", organizationId) } : {};
      const id = await insertRecord(resource, organizationId, { ext_id: `x-${resource}`, ...inCase });
      const whole = await get(resource, id);
      for (const fields of ["version,ext_id", "created_at, updated_at", "id", Object.keys(whole).join(",")]) {
        const names = new Set(fields.split(",").map((name) => name.trim()));
        const expected = Object.fromEntries(Object.entries(whole).filter(([name]) => name === "id" || names.has(name)));
        const got = await get(resource, id, { fields });
        expect(got).toEqual(expected);
        expect(Object.keys(got)).toEqual(Object.keys(expected));
        expect(await listed(resource, id, { fields })).toEqual(expected);
        expect(await getBy(resource, `x-${resource}`, { fields })).toEqual(expected);
      }
    },
  );

  test("an unknown field of a single record is refused, with the closest name", async () => {
    const id = await insertRecord("accounts", organizationId);
    const error = await get("accounts", id, { fields: "name,indstry", expand: "owener" }).catch(
      (thrown: unknown) => thrown,
    );
    expect((error as AppError).errors.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual([
      "/fields `indstry` is not a field of accounts; did you mean `industry`?",
      "/expand `owener` is not a reference of accounts; did you mean `owner`?",
    ]);
  });
});

describe("expand", () => {
  test("shows each reference as getting it does, and the owner by name", async () => {
    const owner = await createUser(organizationId, "member", "grace@example.com");
    const account = await insertRecord("accounts", organizationId, { name: "Alpine" });
    const contact = await insertRecord("contacts", organizationId, { account_id: account });
    const parent = await insertRecord("cases", organizationId);
    const id = await insertRecord("cases", organizationId, {
      account_id: account,
      contact_id: contact,
      parent_case_id: parent,
      owner_id: owner,
      ext_id: "expanded",
    });
    const expected = {
      ...(await get("cases", id)),
      owner: { id: owner, name: "Ada Example", email: "grace@example.com" },
      account: await get("accounts", account),
      contact: await get("contacts", contact),
      parent_case: await get("cases", parent),
    };
    const expand = "account,contact,parent_case,owner";
    expect(await get("cases", id, { expand })).toEqual(expected);
    expect(await getBy("cases", "expanded", { expand })).toEqual(expected);
    expect(await listed("cases", id, { expand })).toEqual(expected);
    expect(await listed("cases", id, { expand, order: "asc", "updated_at[gte]": "2020-01-01" })).toEqual(expected);
    expect(await listed("cases", id, { expand: "account", fields: "subject" })).toEqual({
      id,
      subject: "It does not work",
      account: await get("accounts", account),
    });
  });

  test("is null where there is no reference, and where the owner is no longer a member", async () => {
    const owner = await createUser(organizationId);
    const id = await insertRecord("contacts", organizationId, { owner_id: owner });
    expect(await get("contacts", id, { expand: "account,owner,reports_to", fields: "id" })).toMatchObject({
      account: null,
      reports_to: null,
      owner: { id: owner },
    });
    await pool().query("DELETE FROM memberships WHERE user_id = $1", [owner]);
    expect(await get("contacts", id, { expand: "owner", fields: "owner_id" })).toEqual({
      id,
      owner_id: owner,
      owner: null,
    });
  });

  test("shows nothing of another organization, even where the record has an id of it", async () => {
    const stranger = await createContext();
    const foreign = await insertRecord("accounts", stranger.organizationId, { name: "Secret" });
    const id = await insertRecord("leads", organizationId, {
      owner_id: stranger.userId,
      converted_account_id: foreign,
    });
    expect(await get("leads", id, { expand: "owner,converted_account", fields: "id" })).toEqual({
      id,
      owner: null,
      converted_account: null,
    });
    expect(await listed("leads", id, { expand: "owner,converted_account", fields: "id" })).toEqual({
      id,
      owner: null,
      converted_account: null,
    });
  });

  test("needs the scope of what it shows: a token for products alone reveals no names of people", async () => {
    const erp = await createContext({ organizationId, scopes: ["erp:read"] });
    const id = await insertRecord("products", organizationId, { ext_id: "P-1" });
    expect(await get("products", id, { fields: "name" }, erp)).toEqual({ id, name: "Drill" });
    await expect(get("products", id, { expand: "owner" }, erp)).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(getBy("products", "P-1", { expand: "owner" }, erp)).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    await expect(execute(listOperation("products"), erp, { expand: "owner" })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
  });
});

test("pages with `fields` or `expand` are cut like pages of whole records", async () => {
  const own = await createContext();
  const made: string[] = [];
  for (const name of [",\n", "},\n{", ",\\n", "]", '"},\n{"'])
    made.push(await insertRecord("products", own.organizationId, { name }));
  const operation = listOperation("products") as unknown as Operation;
  const page = async (parameters: object) =>
    valueOf(await execute(operation, own, parameters)) as { data: Answer[]; next_cursor: string | null };
  const first = await page({ fields: "name", limit: 3 });
  const second = await page({ fields: "name", limit: 3, cursor: first.next_cursor });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made.toReversed());
  expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['"},\n{"', "]", ",\\n", "},\n{", ",\n"]);
  expect(second.next_cursor).toBeNull();
});
