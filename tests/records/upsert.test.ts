import type { PoolClient } from "pg";
import { describe, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { execute, type JsonText } from "@/lib/operation";
import { getByExtIdOperation, upsertOperation } from "@/lib/records/ext-id-operations";
import { createOperation, deleteOperation, getOperation } from "@/lib/records/operations";
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES } from "@/lib/records/schema/resources";
import { createRecords } from "@/lib/records/write/create-record";
import { createContext, NEEDED } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";

import { eventsOf, neededBy, refusal, run } from "@/tests/records/support/write-operations";

describe.each(RESOURCES)("%s", (resource) => {
  test("are created, found and changed by an external id, and unchanged where nothing differs", async () => {
    const context = await createContext();
    const input = { ...(await neededBy(resource, context)), ext_id: "erp/7 é" };
    const first = await execute(upsertOperation(resource), context, input);
    expect(first).toMatchObject({ isNew: true });
    const created = JSON.parse((first as JsonText).text);
    expect(created).toMatchObject({ ...NEEDED[resource], ext_id: "erp/7 é", version: 1 });
    expect(await run(getByExtIdOperation(resource), context, { ext_id: "erp/7 é" })).toEqual(created);
    expect(await execute(upsertOperation(resource), context, input)).toMatchObject({
      isNew: false,
      text: JSON.stringify(created),
    });
    const changed = await run(upsertOperation(resource), context, { ext_id: "erp/7 é", custom_fields: { Size: "XL" } });
    expect(changed).toMatchObject({ id: created.id, version: 2, custom_fields: { Size: "XL" } });
    expect((await eventsOf(created.id)).map(({ type }) => type.split(".")[1])).toEqual(["created", "updated"]);
  });

  test("of another organization are not found by their external id, and not touched", async () => {
    const context = await createContext();
    const theirs = await run(createOperation(resource), context, {
      ...(await neededBy(resource, context)),
      ext_id: "A-1",
    });
    const stranger = await createContext();
    expect(await refusal(run(getByExtIdOperation(resource), stranger, { ext_id: "A-1" }))).toMatchObject({
      code: "not_found",
    });
    const mine = await run(upsertOperation(resource), stranger, {
      ...(await neededBy(resource, stranger)),
      ext_id: "A-1",
    });
    expect(mine.id).not.toBe(theirs.id);
    expect(await run(getOperation(resource), context, { id: theirs.id })).toEqual(theirs);
  });
});

test("of many concurrent upserts of one external id, one creates the record and the others change it", async () => {
  const context = await createContext();
  const upserts = Array.from({ length: 16 }, (_, index) =>
    run(upsertOperation("accounts"), context, {
      ext_id: "A-1",
      name: "Alpine Tools",
      custom_fields: { [`f${index}`]: index },
    }),
  );
  const answers = await Promise.all(upserts);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(answers.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(answers.map((_, index) => index + 1));
  const { custom_fields } = await run(getByExtIdOperation("accounts"), context, { ext_id: "A-1" });
  expect(Object.keys(custom_fields as object)).toHaveLength(16);
});

test("an upsert waits while another transaction creates the record, and then changes it", async () => {
  const context = await createContext();
  const creating = async (client: PoolClient) => {
    const [theirs] = await createRecords(client, ENTITIES.accounts, context, [{ name: "Theirs", ext_id: "A-1" }]);
    const mine = run(upsertOperation("accounts"), context, { ext_id: "A-1", website: "example.com", name: "Mine" });
    await untilLockWaits(1);
    return { theirs, mine };
  };
  const upserted = await inOrganization(context.organizationId, () => transaction(creating));
  expect(await upserted.mine).toMatchObject({
    id: upserted.theirs?.id,
    name: "Mine",
    website: "example.com",
    version: 2,
  });
});

test("a new record needs its required fields, which are reported; an existing one does not", async () => {
  const context = await createContext();
  expect(await refusal(run(upsertOperation("opportunities"), context, { ext_id: "O-1", name: "Drills" }))).toEqual({
    code: "invalid_request",
    errors: ["/stage required", "/close_date required"],
  });
  await run(upsertOperation("opportunities"), context, { ...NEEDED.opportunities, ext_id: "O-1" });
  expect(await run(upsertOperation("opportunities"), context, { ext_id: "O-1", stage: "proposal" })).toMatchObject({
    probability: 75,
  });
});

test("a unique value of another record is a conflict that names the field", async () => {
  const context = await createContext();
  await run(createOperation("products"), context, { name: "Drill", sku: "D-1" });
  expect(await refusal(run(upsertOperation("products"), context, { ext_id: "P-2", name: "Saw", sku: "D-1" }))).toEqual({
    code: "conflict",
    errors: ["/sku taken"],
  });
});

test("a deleted record is not restored: a new one gets its external id", async () => {
  const context = await createContext();
  const deleted = await run(upsertOperation("accounts"), context, { ...NEEDED.accounts, ext_id: "A-1" });
  await run(deleteOperation("accounts"), context, { id: deleted.id });
  expect(await refusal(run(getByExtIdOperation("accounts"), context, { ext_id: "A-1" }))).toMatchObject({
    code: "not_found",
  });
  const successor = await run(upsertOperation("accounts"), context, { ...NEEDED.accounts, ext_id: "A-1" });
  expect(successor.id).not.toBe(deleted.id);
  expect(successor.version).toBe(1);
});

test("a second external id, from an import, does not identify the record here", async () => {
  const context = await createContext();
  const account = await run(createOperation("accounts"), context, NEEDED.accounts);
  await pool().query(
    "INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id) VALUES ($1, 'second', 'accounts', $2)",
    [context.organizationId, account.id],
  );
  expect(await refusal(run(getByExtIdOperation("accounts"), context, { ext_id: "second" }))).toMatchObject({
    code: "not_found",
  });
});

test("an external id has 1 to 255 characters, and nothing is found by an impossible one", async () => {
  const context = await createContext();
  for (const ext_id of ["", "x".repeat(256), "a\0b"]) {
    const { code, errors } = await refusal(run(upsertOperation("accounts"), context, { ...NEEDED.accounts, ext_id }));
    expect([code, errors.map((error) => error.split(" ")[0])]).toEqual(["invalid_request", ["/ext_id"]]);
    expect(await refusal(run(getByExtIdOperation("accounts"), context, { ext_id }))).toMatchObject({
      code: "not_found",
    });
  }
  expect(
    await run(upsertOperation("accounts"), context, { ...NEEDED.accounts, ext_id: "x".repeat(255) }),
  ).toMatchObject({ version: 1 });
});
