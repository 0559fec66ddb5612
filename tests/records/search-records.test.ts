import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { execute, valueOf } from "@/lib/operation";
import { searchRecords } from "@/lib/records/search-records";
import { createContext, insertRecord } from "@/tests/support/factories";

async function search(context: Context, input: Record<string, unknown>) {
  return valueOf(await execute(searchRecords, context, input));
}

test("finds records of every kind by the beginnings of their words, with what tells them apart", async () => {
  const context = await createContext();
  const { organizationId } = context;
  await insertRecord("accounts", organizationId, { name: "Neckar Pumpen GmbH", industry: "Machines" });
  await insertRecord("contacts", organizationId, {
    first_name: "José",
    last_name: "Pumpen",
    email: "j@neckar.example",
  });
  await insertRecord("cases", organizationId, { subject: "Pump of the Neckar leaks", status: "new" });
  await insertRecord("leads", organizationId, { last_name: "Rhein", company: "Rhein AG" });
  await insertRecord("opportunities", organizationId, { name: "Ten pumps for Neckar", stage: "proposal" });
  const { data, more } = await search(context, { q: "PUMP neck" });
  expect(data).toMatchObject([
    { object: "accounts", version: 1, fields: { name: "Neckar Pumpen GmbH", industry: "Machines" } },
    { object: "contacts", fields: { first_name: "José", last_name: "Pumpen", email: "j@neckar.example" } },
    { object: "cases", fields: { subject: "Pump of the Neckar leaks", status: "new" } },
    { object: "opportunities", fields: { name: "Ten pumps for Neckar", stage: "proposal" } },
  ]);
  expect(more).toEqual([]);
  expect((await search(context, { q: "jose" })).data).toMatchObject([{ object: "contacts" }]);
  expect(await search(await createContext(), { q: "pump" })).toEqual({ data: [], more: [] });
});

test("finds people and companies by their phone number, which it shows", async () => {
  const context = await createContext();
  await insertRecord("accounts", context.organizationId, { name: "Neckar", phone: "+49 711 4455660" });
  await insertRecord("contacts", context.organizationId, { last_name: "Rhein", mobile_phone: "0711 / 44 55 66 0" });
  await insertRecord("products", context.organizationId, { name: "Pump 4455660" });
  expect((await search(context, { q: "0711 4455660" })).data).toMatchObject([
    { object: "accounts", fields: { name: "Neckar", phone: "+49 711 4455660" } },
    { object: "contacts", fields: { last_name: "Rhein", mobile_phone: "0711 / 44 55 66 0" } },
  ]);
  expect((await search(context, { q: "4455660" })).data.map(({ object }) => object)).toEqual([
    "accounts",
    "contacts",
    "products",
  ]);
});

test("shows the newest few of each kind, and says of which there are more", async () => {
  const context = await createContext();
  for (const name of ["Acme 1", "Acme 2", "Acme 3"]) await insertRecord("accounts", context.organizationId, { name });
  await insertRecord("products", context.organizationId, { name: "Acme valve" });
  const { data, more } = await search(context, { q: "acme", per_kind: "2" });
  expect(data.map(({ fields }) => fields.name)).toEqual(["Acme 3", "Acme 2", "Acme valve"]);
  expect(more).toEqual(["accounts"]);
  expect(await search(context, { q: "acme", objects: "products" })).toMatchObject({
    data: [{ object: "products" }],
    more: [],
  });
});

test("a token searches the kinds that it may read, and is refused when it names another", async () => {
  const context = await createContext({ scopes: ["erp:read"] });
  await insertRecord("accounts", context.organizationId, { name: "Acme" });
  await insertRecord("products", context.organizationId, { name: "Acme valve" });
  expect((await search(context, { q: "acme" })).data).toMatchObject([{ object: "products" }]);
  await expect(search(context, { q: "acme", objects: "products,accounts" })).rejects.toMatchObject({
    code: "insufficient_scope",
  });
});

test.each([
  ["no word", { q: "!" }],
  ["a kind that cannot be searched", { q: "acme", objects: "case_comments" }],
  ["a limit above the bound", { q: "acme", per_kind: "21" }],
  ["no `q`", {}],
])("%s is refused", async (_, input) => {
  await expect(search(await createContext(), input)).rejects.toMatchObject({ code: "invalid_request" });
});
