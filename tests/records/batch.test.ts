import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { batchOperation } from "@/lib/records/batch/batch-operation";
import { convertLead } from "@/lib/records/lead-conversion/convert-lead";
import { createOperation, getOperation } from "@/lib/records/operations";
import { RESOURCES } from "@/lib/records/schema/resources";
import { createContext, insertRecord, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { type Answer, eventsOf, neededBy, refusal, run } from "@/tests/records/support/write-operations";

interface Result {
  status: string;
  record: Answer;
  problem: { code: string; detail: string; errors: { pointer: string; code: string; detail: string }[] };
}

async function perItem(context: Context, resource: (typeof RESOURCES)[number], items: unknown[]): Promise<Result[]> {
  const { results } = await run(batchOperation(resource), context, { mode: "per_item", items });
  return results as Result[];
}

const faultsOf = ({ problem }: Result) => problem.errors.map(({ pointer, code }) => `${pointer} ${code}`);
const countOf = async (resource: string, { organizationId }: Context) =>
  Number(
    (await pool().query(`SELECT count(*) FROM ${resource} WHERE organization_id = $1`, [organizationId])).rows[0].count,
  );

test.each(RESOURCES)(
  "%s are created, changed and upserted in one batch, in order, and each change emits its event",
  async (resource) => {
    const context = await createContext();
    const needed = await neededBy(resource, context);
    const known = await run(createOperation(resource), context, { ...needed, ext_id: "known" });
    const other = await run(createOperation(resource), context, needed);
    const items = [
      { action: "upsert", ext_id: "new", data: needed },
      { action: "update", id: other.id.toUpperCase(), data: { ext_id: "other" } },
      { action: "create", data: { ...needed, ext_id: "created" } },
      { action: "upsert", ext_id: "known", data: { custom_fields: { Size: "XL" } } },
      { action: "update", id: known.id, data: { custom_fields: { Size: "XL" } } },
    ];
    const { results } = (await run(batchOperation(resource), context, {
      mode: "all_or_nothing",
      items,
    })) as unknown as { results: Result[] };
    expect(results.map(({ status }) => status)).toEqual(["created", "updated", "created", "updated", "unchanged"]);
    expect(results.map(({ record }) => record.ext_id)).toEqual(["new", "other", "created", "known", "known"]);
    expect(results[3]?.record).toMatchObject({ id: known.id, version: 2, custom_fields: { Size: "XL" } });
    for (const { record } of results)
      expect(await run(getOperation(resource), context, { id: record.id })).toEqual(record);
    const emitted = await Promise.all(results.map(({ record }) => eventsOf(record.id)));
    expect(emitted.map((events) => events.map(({ type }) => type.split(".")[1]))).toEqual([
      ["created"],
      ["created", "updated"],
      ["created"],
      ["created", "updated"],
      ["created", "updated"],
    ]);
  },
);

test("all or nothing: one fault undoes everything, and every faulty item is reported", async () => {
  const context = await createContext();
  await run(createOperation("contacts"), context, { last_name: "Taken", ext_id: "taken" });
  const items = [
    { action: "create", data: { last_name: "Good" } },
    { action: "create", data: { last_name: "Lost", account_id: newId() } },
    { action: "update", id: newId(), data: { last_name: "Nobody" } },
    { action: "create", data: { last_name: "Twice", ext_id: "taken" } },
    { action: "upsert", ext_id: "new", data: { first_name: "Nameless" } },
  ];
  expect(await refusal(run(batchOperation("contacts"), context, { mode: "all_or_nothing", items }))).toEqual({
    code: "invalid_request",
    errors: [
      "/items/1/data/account_id not_found",
      "/items/2/id not_found",
      "/items/3/data/ext_id taken",
      "/items/4/data/last_name required",
    ],
  });
  expect(await countOf("contacts", context)).toBe(1);
  expect(await countOf("events", context)).toBe(1);
});

test("all or nothing: invalid items are refused before any write, with a suggestion for the field", async () => {
  const context = await createContext();
  const items = [
    { action: "create", data: { ...NEEDED.accounts, nmae: "x", annual_revenue: "much" } },
    { action: "delete", id: newId() },
    { action: "update", id: "7", data: {} },
    { action: "upsert", ext_id: "", data: { ext_id: "y" } },
    "nothing",
    { action: "update", id: newId(), data: [] },
  ];
  const { code, errors } = await refusal(run(batchOperation("accounts"), context, { mode: "all_or_nothing", items }));
  expect(code).toBe("invalid_request");
  expect(errors.toSorted()).toEqual([
    "/items/0/data/annual_revenue invalid_type",
    "/items/0/data/nmae unknown_field",
    "/items/1/action invalid_value",
    "/items/2/id invalid_format",
    "/items/3/ext_id too_short",
    "/items/4 invalid_type",
    "/items/5/data invalid_type",
  ]);
});

test("all or nothing: invalid items do not hide the faults of the others", async () => {
  const context = await createContext();
  const items = [
    { action: "create", data: { last_name: "", account_id: newId() } },
    { action: "create", data: { last_name: "Lost", account_id: newId() } },
    { action: "create", data: { last_name: "Right" } },
    { action: "update", id: newId(), data: {} },
  ];
  expect(await refusal(run(batchOperation("contacts"), context, { mode: "all_or_nothing", items }))).toEqual({
    code: "invalid_request",
    errors: ["/items/0/data/last_name too_short", "/items/1/data/account_id not_found", "/items/3/id not_found"],
  });
  expect(await countOf("contacts", context)).toBe(0);
});

test("all or nothing: the batch is a conflict only when all faults are conflicts", async () => {
  const context = await createContext();
  const items = ["a", "b", "a"].map((sku) => ({ action: "create", data: { name: sku, sku } }));
  expect(await refusal(run(batchOperation("products"), context, { mode: "all_or_nothing", items }))).toEqual({
    code: "conflict",
    errors: ["/items/2/data/sku taken"],
  });
  expect(await countOf("products", context)).toBe(0);
});

test("all or nothing: a converted lead is refused with its own code, if alone at fault", async () => {
  const context = await createContext();
  const lead = await run(createOperation("leads"), context, { ...NEEDED.leads, company: "Alpine Tools" });
  await run(convertLead, context, { id: lead.id });
  const converted = { action: "update", id: lead.id, data: { last_name: "Other" } };
  expect(await refusal(run(batchOperation("leads"), context, { mode: "all_or_nothing", items: [converted] }))).toEqual({
    code: "illegal_state",
    errors: ["/items/0/data converted"],
  });
  const items = [converted, { action: "update", id: newId(), data: {} }];
  expect(await refusal(run(batchOperation("leads"), context, { mode: "all_or_nothing", items }))).toEqual({
    code: "invalid_request",
    errors: ["/items/0/data converted", "/items/1/id not_found"],
  });
});

test("per item: faulty items fail with their own problem, and all others are written", async () => {
  const context = await createContext();
  const items = Array.from({ length: 200 }, (_, index) => {
    if (index % 50 === 7) return { action: "create", data: { last_name: "Lost", account_id: newId() } };
    if (index % 50 === 8) return { action: "create", data: { lastname: "Misspelt" } };
    if (index % 50 === 9) return { action: "create", data: { last_name: "Same", ext_id: "same" } };
    return { action: "create", data: { last_name: `Number ${index}` } };
  });
  const results = await perItem(context, "contacts", items);
  const failed = results.flatMap((result, index) => (result.status === "failed" ? [[index, ...faultsOf(result)]] : []));
  expect(failed).toHaveLength(11);
  expect(failed[0]).toEqual([7, "/items/7/data/account_id not_found"]);
  expect(failed[1]?.[0]).toBe(8);
  expect(failed.at(-1)).toEqual([159, "/items/159/data/ext_id taken"]);
  expect(results.map(({ record }, index) => record?.last_name === `Number ${index}`).filter(Boolean)).toHaveLength(188);
  expect(await countOf("contacts", context)).toBe(189);
  expect(await countOf("events", context)).toBe(189);
});

test("faults and suggestions are bounded for the batch, and each failed item has a fault", async () => {
  const context = await createContext();
  const misspelt = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`last_nam${index}`, "x"]));
  const items = Array.from({ length: 200 }, () => ({ action: "create", data: { ...NEEDED.contacts, ...misspelt } }));
  const results = await perItem(context, "contacts", items);
  const faults = results.flatMap(({ problem }) => problem.errors);
  expect(results.map(({ problem }) => problem.errors.length)).toEqual([
    30,
    30,
    30,
    10,
    ...Array.from({ length: 196 }, () => 1),
  ]);
  expect(faults.filter(({ detail }) => detail.includes("did you mean"))).toHaveLength(10);
  const refused = await run(batchOperation("contacts"), context, { mode: "all_or_nothing", items }).catch(
    (error: unknown) => error,
  );
  expect(
    (refused as { errors: { detail: string }[] }).errors.filter(({ detail }) => detail.includes("did you mean")),
  ).toHaveLength(10);
});

test("records of another organization are not found, nor are references to them", async () => {
  const context = await createContext();
  const stranger = await createContext();
  const foreign = await insertRecord("accounts", stranger.organizationId, { ext_id: "theirs" });
  const [changed, referring] = await perItem(context, "accounts", [
    { action: "update", id: foreign, data: { name: "Mine" } },
    { action: "create", data: { name: "Mine", parent_account_id: foreign } },
  ]);
  expect(changed && faultsOf(changed)).toEqual(["/items/0/id not_found"]);
  expect(referring && faultsOf(referring)).toEqual(["/items/1/data/parent_account_id not_found"]);
  const [upserted] = await perItem(context, "accounts", [
    { action: "upsert", ext_id: "theirs", data: { name: "Mine" } },
  ]);
  expect(upserted?.status).toBe("created");
  expect(await run(getOperation("accounts"), stranger, { id: foreign })).toMatchObject({
    name: "Alpine Tools",
    version: 1,
  });
});

test("concurrent batches in opposite orders all succeed, with one record per external id", async () => {
  const context = await createContext();
  const extIds = Array.from({ length: 50 }, (_, index) => `A-${index}`);
  const batch = (ids: string[]) =>
    perItem(
      context,
      "accounts",
      ids.map((ext_id) => ({ action: "upsert", ext_id, data: { name: ext_id } })),
    );
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => batch(index % 2 ? extIds : extIds.toReversed())),
  );
  expect(answers.flat().filter(({ status }) => status === "created")).toHaveLength(50);
  expect(answers.flat().filter(({ status }) => status === "failed")).toEqual([]);
  expect(await countOf("accounts", context)).toBe(50);
});

test.each([
  [{ mode: "all_or_nothing", items: [] }, ["/items too_short"]],
  [
    { mode: "all_or_nothing", items: Array.from({ length: 201 }, () => ({ action: "create", data: NEEDED.leads })) },
    ["/items too_long"],
  ],
  [{ mode: "some", items: [{ action: "create", data: NEEDED.leads }] }, ["/mode invalid_value"]],
  [{ items: [{ action: "create", data: NEEDED.leads }], modes: 1 }, ["/mode required", "/modes unknown_field"]],
])("a batch has a mode and 1 to 200 items (%#)", async (input, errors) => {
  expect(await refusal(run(batchOperation("leads"), await createContext(), input))).toEqual({
    code: "invalid_request",
    errors,
  });
});

test("crm:read is not enough", async () => {
  const context = await createContext({ scopes: ["crm:read"] });
  expect(await refusal(run(batchOperation("leads"), context, {}))).toMatchObject({ code: "insufficient_scope" });
});
