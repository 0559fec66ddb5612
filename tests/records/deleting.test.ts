import { expect, test } from "vitest";

import type { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import {
  createOperation,
  deleteOperation,
  getOperation,
  restoreOperation,
  updateOperation,
} from "@/lib/records/operations";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import { createContext, insertRecord, NEEDED } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool, transaction } from "@/tests/support/owner";

import { type Answer, neededBy, refusal, run } from "@/tests/records/support/write-operations";

test("references to a deleted record are cleared, and restored with it unless they changed", async () => {
  const context = await createContext();
  const account = await run(createOperation("accounts"), context, NEEDED.accounts);
  const other = await run(createOperation("accounts"), context, NEEDED.accounts);
  const [first, second] = await Promise.all(
    ["One", "Two"].map((last_name) => run(createOperation("contacts"), context, { last_name, account_id: account.id })),
  );
  if (!first || !second) throw new Error("There are two contacts.");
  await run(deleteOperation("accounts"), context, { id: account.id });
  expect(await run(getOperation("contacts"), context, { id: first.id })).toMatchObject({
    account_id: null,
    version: 2,
  });
  await run(updateOperation("contacts"), context, { id: second.id, account_id: other.id });
  await run(restoreOperation("accounts"), context, { id: account.id });
  expect(await run(getOperation("contacts"), context, { id: first.id })).toMatchObject({ account_id: account.id });
  expect(await run(getOperation("contacts"), context, { id: second.id })).toMatchObject({ account_id: other.id });
});

test("the refusal to show a deleted record says when and by whom it was deleted, to its own organization", async () => {
  const context = await createContext();
  const theCase = await run(createOperation("cases"), context, NEEDED.cases);
  const comment = await run(createOperation("case_comments"), context, { case_id: theCase.id, body: "Hello" });
  await run(deleteOperation("cases"), context, { id: theCase.id });
  const deletionOf = async (kind: "cases" | "case_comments", id: unknown, whose = context) => {
    const error: unknown = await run(getOperation(kind), whose, { id }).catch((thrown: unknown) => thrown);
    return (error as AppError).deletion;
  };
  const deletion = await deletionOf("cases", theCase.id);
  expect(deletion).toMatchObject({ name: expect.any(String), deleted_by_id: context.userId, migration_id: null });
  const [from, until] = [deletion?.deleted_at, deletion?.restorable_until].map((at) => Date.parse(at ?? ""));
  expect(((until ?? 0) - (from ?? 0)) / 86_400_000).toBeCloseTo(30, 0);
  expect(await deletionOf("case_comments", comment.id)).toMatchObject({
    is_part: true,
    belongs_to: { resource: "cases", id: theCase.id },
  });
  expect(deletion?.belongs_to).toBeNull();
  expect(await deletionOf("cases", theCase.id, await createContext())).toBeUndefined();
  expect(await deletionOf("cases", crypto.randomUUID())).toBeUndefined();
  await run(restoreOperation("cases"), context, { id: theCase.id });
  expect(await run(getOperation("cases"), context, { id: theCase.id })).toMatchObject({ id: theCase.id });
});

test("the refusal names the migration that deleted a record, to who may read migrations", async () => {
  const context = await createContext();
  const product = await run(createOperation("products"), context, await neededBy("products", context));
  await run(deleteOperation("products"), context, { id: product.id });
  const migrationId = newId();
  await pool().query("UPDATE deleted_records SET migration_id = $1 WHERE id = $2", [migrationId, product.id]);
  const erp = { ...context, scopes: new Set(["erp:read"] as const) };
  for (const [reader, migration_id] of [
    [context, migrationId],
    [erp, null],
  ] as const) {
    const refused: unknown = await run(getOperation("products"), reader, { id: product.id }).catch((error) => error);
    expect((refused as AppError).deletion).toMatchObject({ migration_id });
  }
});

test("a comment that was deleted by itself names its case while that is deleted, and then no more", async () => {
  const context = await createContext();
  const theCase = await run(createOperation("cases"), context, NEEDED.cases);
  const comment = await run(createOperation("case_comments"), context, { case_id: theCase.id, body: "Hello" });
  const refusal = async () =>
    (await run(getOperation("case_comments"), context, { id: comment.id }).catch((thrown) => thrown)) as AppError;
  const deletion = async () => (await refusal()).deletion;
  await run(deleteOperation("case_comments"), context, { id: comment.id });
  expect(await deletion()).toMatchObject({ is_part: false, belongs_to: null });
  await run(deleteOperation("cases"), context, { id: theCase.id });
  expect(await deletion()).toMatchObject({ is_part: false, belongs_to: { resource: "cases", id: theCase.id } });
  expect((await refusal()).message).toMatch(/\/cases\/{id}\/restore`\. Then `POST .*\/case_comments\/{id}\/restore`/);
  await run(restoreOperation("cases"), context, { id: theCase.id });
  expect(await deletion()).toMatchObject({ belongs_to: null });
  expect(await run(restoreOperation("case_comments"), context, { id: comment.id })).toMatchObject({ id: comment.id });
});

test("references of a restored record that lead nowhere any more are empty", async () => {
  const context = await createContext();
  const account = await run(createOperation("accounts"), context, NEEDED.accounts);
  const contact = await run(createOperation("contacts"), context, { last_name: "One", account_id: account.id });
  await run(deleteOperation("contacts"), context, { id: contact.id });
  await run(deleteOperation("accounts"), context, { id: account.id });
  expect(await run(restoreOperation("contacts"), context, { id: contact.id })).toMatchObject({ account_id: null });
});

test.each([
  ["contacts", "accounts"],
  ["accounts", "contacts"],
] as const)("two linked records that are restored at once have their link: %s, then %s", async (...kinds) => {
  const context = await createContext();
  const { id: account_id } = await run(createOperation("accounts"), context, NEEDED.accounts);
  const contact = await run(createOperation("contacts"), context, { ...NEEDED.contacts, account_id });
  const idOf = { accounts: account_id, contacts: contact.id };
  for (const kind of kinds) await run(deleteOperation(kind), context, { id: idOf[kind] });
  const restored: Promise<Answer>[] = [];
  // The second waits while the first one, which writes its event, has not committed.
  await transaction(async (client) => {
    await client.query("LOCK TABLE events IN EXCLUSIVE MODE");
    for (const [index, kind] of kinds.toReversed().entries()) {
      restored.push(run(restoreOperation(kind), context, { id: idOf[kind] }));
      await untilLockWaits(index + 1);
    }
  });
  await Promise.all(restored);
  expect(await run(getOperation("contacts"), context, { id: contact.id })).toMatchObject({ account_id });
});

test("a case is deleted and restored with its comments, in their order", async () => {
  const context = await createContext();
  const theCase = await run(createOperation("cases"), context, NEEDED.cases);
  const bodies = ["first", "second", "third"];
  const comments: Answer[] = [];
  for (const body of bodies)
    comments.push(await run(createOperation("case_comments"), context, { case_id: theCase.id, body }));
  expect(comments.map(({ position, author_id }) => [position, author_id])).toEqual(
    [1, 2, 3].map((position) => [position, context.userId]),
  );
  await run(deleteOperation("cases"), context, { id: theCase.id });
  expect(await refusal(run(getOperation("case_comments"), context, { id: comments[0]?.id }))).toMatchObject({
    code: "not_found",
  });
  const alone = await refusal(run(restoreOperation("case_comments"), context, { id: comments[0]?.id }));
  expect(alone).toEqual({ code: "conflict", errors: ["/case_id not_found"] });
  await run(restoreOperation("cases"), context, { id: theCase.id });
  const back = await Promise.all(comments.map(({ id }) => run(getOperation("case_comments"), context, { id })));
  expect(back.map(({ body, position }) => [body, position])).toEqual(bodies.map((body, index) => [body, index + 1]));
});

test("a record of another kind with the same id, the other shape of an e-mail, keeps its external ids", async () => {
  const context = await createContext();
  const { organizationId } = context;
  const case_id = await insertRecord("cases", organizationId);
  const id = await insertRecord("case_comments", organizationId, { case_id });
  await insertRecord("activities", organizationId, { id });
  const aliases = async () => {
    const text = "SELECT entity, ext_id FROM ext_aliases WHERE organization_id = $1 ORDER BY 1";
    return (await pool().query(text, [organizationId])).rows;
  };
  await pool().query(
    `INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id)
     VALUES ($1, 'task', 'activities', $2), ($1, 'post', 'case_comments', $2)`,
    [organizationId, id],
  );
  const before = await aliases();
  await run(deleteOperation("case_comments"), context, { id });
  expect(await aliases()).toEqual([{ entity: "activities", ext_id: "task" }]);
  await run(restoreOperation("case_comments"), context, { id });
  expect(await aliases()).toEqual(before);
});

/**
 * The unique values of each kind of record that clients write. A case's number, which only the service issues, is never
 * another record's.
 */
const UNIQUE = Object.values<Entity>(ENTITIES).flatMap(({ resource, singular, fields }) =>
  Object.entries<Field>(fields).flatMap(([field, { unique, readOnly }]) =>
    unique && !readOnly ? [{ resource, singular, field }] : [],
  ),
);

test.each(UNIQUE)(
  "restoring one of the $resource whose $field is in use names the record that has it, and how to mend it",
  async ({ resource, singular, field }) => {
    const context = await createContext();
    const needed = { ...(await neededBy(resource, context)), [field]: "D-1" };
    const { id } = await run(createOperation(resource), context, needed);
    await run(deleteOperation(resource), context, { id });
    const other = await run(createOperation(resource), context, needed);
    const refused = (await run(restoreOperation(resource), context, { id }).catch(
      (error: unknown) => error,
    )) as AppError;
    expect(refused).toMatchObject({ code: "conflict", records: { [`${singular}_id`]: other.id } });
    expect(refused.errors).toMatchObject([{ pointer: `/${field}`, code: "taken", detail: refused.message }]);
    expect(refused.message).toContain(
      `${other.id} has the \`${field}\` \`D-1\` now; give it another value, or null, by \`PATCH ` +
        `/api/v1/${resource}/${other.id}\``,
    );
    await run(updateOperation(resource), context, { id: other.id, [field]: null });
    expect(await run(restoreOperation(resource), context, { id })).toMatchObject({ [field]: "D-1" });
  },
);

test("so does restoring a case one of whose comments has lost its external id to another comment", async () => {
  const context = await createContext();
  const [theCase, otherCase] = [
    await run(createOperation("cases"), context, NEEDED.cases),
    await run(createOperation("cases"), context, NEEDED.cases),
  ];
  const comment = await run(createOperation("case_comments"), context, {
    case_id: theCase.id,
    body: "first",
    ext_id: "C-1",
  });
  await run(deleteOperation("cases"), context, { id: theCase.id });
  const other = await run(createOperation("case_comments"), context, {
    case_id: otherCase.id,
    body: "other",
    ext_id: "C-1",
  });
  const refused = run(restoreOperation("cases"), context, { id: theCase.id });
  await expect(refused).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining(`/api/v1/case_comments/${other.id}\``),
  });
  await run(updateOperation("case_comments"), context, { id: other.id, ext_id: "C-2" });
  await run(restoreOperation("cases"), context, { id: theCase.id });
  expect(await run(getOperation("case_comments"), context, { id: comment.id })).toMatchObject({ ext_id: "C-1" });
});

test("deleting the record that has the value also frees it", async () => {
  const context = await createContext();
  const first = await run(createOperation("products"), context, { name: "Drill", sku: "D-1" });
  await run(deleteOperation("products"), context, { id: first.id });
  const second = await run(createOperation("products"), context, { name: "Drill", sku: "D-1" });
  await run(deleteOperation("products"), context, { id: second.id });
  expect(await run(restoreOperation("products"), context, { id: first.id })).toMatchObject({ sku: "D-1" });
  const { errors } = await refusal(run(restoreOperation("products"), context, { id: second.id }));
  expect(errors).toEqual(["/sku taken"]);
});

test("a record that was deleted before a field was added gets the field's default when it is restored", async () => {
  const context = await createContext();
  const product = await run(createOperation("products"), context, NEEDED.products);
  await run(deleteOperation("products"), context, { id: product.id });
  await pool().query("UPDATE deleted_records SET record = record - 'is_active' - 'custom_fields' WHERE id = $1", [
    product.id,
  ]);
  expect(await run(restoreOperation("products"), context, { id: product.id })).toEqual({
    ...product,
    version: 2,
    updated_at: expect.any(String),
  });
});

test("a record that an import left pointing at itself is restored unchanged, and returned as it is", async () => {
  const context = await createContext();
  const id = await insertRecord("accounts", context.organizationId);
  await pool().query("UPDATE accounts SET parent_account_id = id WHERE id = $1", [id]);
  await run(deleteOperation("accounts"), context, { id });
  const restored = await run(restoreOperation("accounts"), context, { id });
  expect(restored).toMatchObject({ parent_account_id: id, version: 2 });
  expect(await run(getOperation("accounts"), context, { id })).toEqual(restored);
});

test("a case comes back with all of a long thread, and with entries that are large together", async () => {
  const context = await createContext();
  const { organizationId } = context;
  const id = await insertRecord("cases", organizationId);
  const long = await insertRecord("case_comments", organizationId, { case_id: id, body: "x".repeat(130_000) });
  await pool().query(
    `INSERT INTO case_comments (organization_id, id, case_id, body, created_at, updated_at, position, is_public)
     SELECT organization_id, gen_random_uuid(), case_id, CASE WHEN n % 4 = 0 THEN body ELSE 'short' END, created_at,
       updated_at, n, is_public
     FROM case_comments, generate_series(2, 500) AS n WHERE id = $1`,
    [long],
  );
  const threadOf = async () =>
    (await pool().query("SELECT position, length(body) FROM case_comments WHERE case_id = $1 ORDER BY position", [id]))
      .rows;
  const before = await threadOf();
  expect(before).toHaveLength(500);
  await run(deleteOperation("cases"), context, { id });
  expect(await threadOf()).toEqual([]);
  await run(restoreOperation("cases"), context, { id });
  expect(await threadOf()).toEqual(before);
  const { rows } = await pool().query("SELECT FROM deleted_records WHERE organization_id = $1", [organizationId]);
  expect(rows).toEqual([]);
});

test("a record that was imported anew under its id since is not restored over it", async () => {
  const context = await createContext();
  const account = await run(createOperation("accounts"), context, NEEDED.accounts);
  await run(deleteOperation("accounts"), context, { id: account.id });
  await insertRecord("accounts", context.organizationId, { id: account.id });
  const error: unknown = await run(restoreOperation("accounts"), context, { id: account.id }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: "conflict", records: { account_id: account.id } });
  expect((error as AppError).message).toContain("is here again");
});
