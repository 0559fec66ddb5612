import { describe, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import {
  createOperation,
  deleteOperation,
  getOperation,
  restoreOperation,
  updateOperation,
} from "@/lib/records/operations";
import { RESOURCES } from "@/lib/records/schema/resources";
import { createContext, insertRecord, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { eventsOf, neededBy, refusal, run } from "@/tests/records/support/write-operations";

describe.each(RESOURCES)("%s", (resource) => {
  test("are created, read, changed, deleted and restored, and each change emits its event once", async () => {
    const context = await createContext();
    const created = await run(createOperation(resource), context, await neededBy(resource, context));
    expect(created).toMatchObject({ ...NEEDED[resource], owner_id: context.userId, version: 1, custom_fields: {} });
    expect(await run(getOperation(resource), context, { id: created.id })).toEqual(created);

    const changed = await run(updateOperation(resource), context, {
      id: created.id,
      ext_id: "A-1",
      custom_fields: { Size: "XL" },
    });
    expect(changed).toMatchObject({ ext_id: "A-1", custom_fields: { Size: "XL" }, version: 2 });
    expect(await run(deleteOperation(resource), context, { id: created.id })).toMatchObject({
      id: created.id,
      deleted: true,
    });
    expect(await refusal(run(getOperation(resource), context, { id: created.id }))).toMatchObject({
      code: "not_found",
    });

    const restored = await run(restoreOperation(resource), context, { id: created.id });
    expect(restored).toEqual({ ...changed, version: 3, updated_at: restored.updated_at });
    expect(await run(getOperation(resource), context, { id: created.id })).toEqual(restored);

    const emitted = await eventsOf(created.id);
    const actions = emitted.map(({ type }) => type.split(".")[1]);
    expect(actions).toEqual(["created", "updated", "deleted", "created"]);
    expect(emitted.map(({ object }) => object)).toEqual([created, changed, changed, restored]);
    expect(emitted.map(({ previous }) => previous)).toEqual([null, { ext_id: null, custom_fields: {} }, null, null]);
  });

  test("of another organization are not found, and not touched", async () => {
    const context = await createContext();
    const { id } = await run(createOperation(resource), context, await neededBy(resource, context));
    const stranger = await createContext();
    const calls: [unknown, object][] = [
      [updateOperation(resource), { id, ext_id: "mine" }],
      [deleteOperation(resource), { id }],
      [restoreOperation(resource), { id }],
    ];
    for (const [operation, input] of calls)
      expect(await refusal(run(operation, stranger, input))).toMatchObject({ code: "not_found" });
    await run(deleteOperation(resource), context, { id });
    expect(await refusal(run(restoreOperation(resource), stranger, { id }))).toMatchObject({ code: "not_found" });
  });

  test("cannot be written with crm:read", async () => {
    const context = await createContext({ scopes: ["crm:read"] });
    const input = { id: newId() };
    const operations = [createOperation, updateOperation, deleteOperation, restoreOperation].map((declared) =>
      declared(resource),
    );
    for (const operation of operations)
      expect(await refusal(run(operation, context, input))).toMatchObject({ code: "insufficient_scope" });
  });
});

test("every invalid field is reported in one response", async () => {
  const input = {
    name: "",
    annual_revenue: 1.005,
    number_of_employees: -1,
    currency: "euro",
    nmae: "x",
    custom_fields: [],
  };
  const { code, errors } = await refusal(run(createOperation("accounts"), await createContext(), input));
  expect(code).toBe("invalid_request");
  expect(errors.map((error) => error.split(" ")[0]).toSorted()).toEqual(
    ["/annual_revenue", "/currency", "/custom_fields", "/name", "/nmae", "/number_of_employees"].toSorted(),
  );
});

test.each([
  ["an amount beyond what a number holds exactly", "opportunities", { amount: 80_000_000_000_000 }],
  ["an amount that is too small, with three decimals", "opportunities", { amount: -80_000_000_000_000.125 }],
  ["a date that does not exist", "opportunities", { close_date: "2026-02-30" }],
  ["a year zero", "contacts", { birthdate: "0000-01-01" }],
  ["a moment whose year in UTC is zero", "activities", { start_at: "0001-01-01T00:00:00+14:00" }],
  ["a moment whose year in UTC has five digits", "activities", { end_at: "9999-12-31T23:59:59-14:00" }],
  ["a time without offset", "activities", { start_at: "2026-01-01T10:00:00" }],
  ["a value that is not of the list", "cases", { status: "open" }],
  ["an e-mail address that is none", "contacts", { email: "ada" }],
  ["a field that the service sets", "cases", { case_number: "1" }],
  ["a text that is too long", "accounts", { name: "x".repeat(256) }],
  ["null where a value is needed", "accounts", { name: null }],
] as const)("%s is refused", async (_, resource, input) => {
  const { code, errors } = await refusal(
    run(updateOperation(resource), await createContext(), { id: newId(), ...input }),
  );
  expect([code, errors.length]).toEqual(["invalid_request", 1]);
  expect(errors[0]?.startsWith(`/${Object.keys(input)[0]}`)).toBe(true);
});

test("an amount is refused for its size, and for its third decimal", async () => {
  const context = await createContext();
  const change = (amount: number) => refusal(run(updateOperation("opportunities"), context, { id: newId(), amount }));
  expect((await change(70_000_000_000_000.02)).errors).toEqual(["/amount out_of_range"]);
  expect((await change(0.001)).errors).toEqual(["/amount invalid_value"]);
});

describe("references", () => {
  test("of another organization, of no record and of no user are all reported at once", async () => {
    const context = await createContext();
    const stranger = await createContext();
    const foreign = await insertRecord("accounts", stranger.organizationId);
    const input = { last_name: "Example", account_id: foreign, reports_to_id: newId(), owner_id: stranger.userId };
    const { code, errors } = await refusal(run(createOperation("contacts"), context, input));
    expect(code).toBe("invalid_request");
    expect(errors.toSorted()).toEqual(["/account_id not_found", "/owner_id not_found", "/reports_to_id not_found"]);
  });
});

test("comments that are written concurrently get different positions", async () => {
  const context = await createContext();
  const theCase = await run(createOperation("cases"), context, NEEDED.cases);
  const bodies = Array.from({ length: 12 }, (_, index) => `${index}`);
  const comments = await Promise.all(
    bodies.map((body) => run(createOperation("case_comments"), context, { case_id: theCase.id, body })),
  );
  expect(comments.map(({ position }) => position as number).toSorted((a, b) => a - b)).toEqual(
    bodies.map((_, index) => index + 1),
  );
});

describe("unique values", () => {
  test("a value that another record has is a conflict that names the field", async () => {
    const context = await createContext();
    await run(createOperation("products"), context, { name: "Drill", sku: "D-1" });
    const { code, errors } = await refusal(run(createOperation("products"), context, { name: "Other", sku: "D-1" }));
    expect([code, errors]).toEqual(["conflict", ["/sku taken"]]);
  });

  test("case numbers are issued without repetition", async () => {
    const context = await createContext();
    const cases = await Promise.all(
      Array.from({ length: 12 }, () => run(createOperation("cases"), context, NEEDED.cases)),
    );
    expect(new Set(cases.map(({ case_number }) => case_number)).size).toBe(12);
  });
});

describe("changes", () => {
  test("equal values change nothing and emit nothing", async () => {
    const context = await createContext();
    const account = await run(createOperation("accounts"), context, {
      ...NEEDED.accounts,
      annual_revenue: 10.5,
      custom_fields: { a: [1, { b: null }] },
    });
    const same = { name: account.name, annual_revenue: 10.5, custom_fields: { a: [1, { b: null }] } };
    expect(await run(updateOperation("accounts"), context, { id: account.id, ...same })).toEqual(account);
    expect(await eventsOf(account.id)).toHaveLength(1);
  });

  test("custom fields are merged by name, and null removes one", async () => {
    const context = await createContext();
    const account = await run(createOperation("accounts"), context, {
      ...NEEDED.accounts,
      custom_fields: { kept: 1, gone: 2 },
    });
    const changed = await run(updateOperation("accounts"), context, {
      id: account.id,
      custom_fields: { gone: null, added: 3 },
    });
    expect(changed.custom_fields).toEqual({ kept: 1, added: 3 });
  });

  test("of many clients at once are all stored, each with its own version", async () => {
    const context = await createContext();
    const account = await run(createOperation("accounts"), context, NEEDED.accounts);
    const changes = Array.from({ length: 16 }, (_, index) => ({
      id: account.id,
      custom_fields: { [`f${index}`]: index },
    }));
    const versions = (
      await Promise.all(changes.map((change) => run(updateOperation("accounts"), context, change)))
    ).map(({ version }) => version);
    expect(versions.toSorted((a, b) => a - b)).toEqual(changes.map((_, index) => index + 2));
    const { custom_fields } = await run(getOperation("accounts"), context, { id: account.id });
    expect(Object.keys(custom_fields as object)).toHaveLength(16);
  });
});

describe("a change of stage", () => {
  test("records history, sets probability and closing flags, and emits its own event", async () => {
    const context = await createContext();
    const opportunity = await run(createOperation("opportunities"), context, NEEDED.opportunities);
    expect(opportunity).toMatchObject({
      probability: 10,
      forecast_category: "pipeline",
      is_closed: false,
      is_won: false,
    });
    const won = await run(updateOperation("opportunities"), context, { id: opportunity.id, stage: "closed_won" });
    expect(won).toMatchObject({ probability: 100, forecast_category: "closed", is_closed: true, is_won: true });
    const emitted = await eventsOf(opportunity.id);
    expect(emitted.map(({ type }) => type)).toEqual([
      "opportunity.created",
      "opportunity.updated",
      "opportunity.stage_changed",
    ]);
    expect(emitted[2]?.previous).toMatchObject({ stage: "prospecting", probability: 10, is_closed: false });
    const { rows } = await pool().query(
      `SELECT from_stage, to_stage, changed_by_id, changed_at FROM opportunity_stage_changes
       WHERE opportunity_id = $1 ORDER BY id`,
      [opportunity.id],
    );
    const changes = [
      { from_stage: null, to_stage: "prospecting", of: opportunity },
      { from_stage: "prospecting", to_stage: "closed_won", of: won },
    ];
    expect(rows).toEqual(
      changes.map(({ of, ...stages }) => ({
        ...stages,
        changed_by_id: context.userId,
        changed_at: new Date(String(of["stage_changed_at"])),
      })),
    );
  });

  test("takes a probability that is given with it", async () => {
    const context = await createContext();
    const opportunity = await run(createOperation("opportunities"), context, NEEDED.opportunities);
    const changed = await run(updateOperation("opportunities"), context, {
      id: opportunity.id,
      stage: "negotiation",
      probability: 35,
    });
    expect(changed).toMatchObject({ probability: 35, forecast_category: "commit" });
  });
});

test("a closed case has a closing time, and a reopened one has none", async () => {
  const context = await createContext();
  const theCase = await run(createOperation("cases"), context, { ...NEEDED.cases, status: "closed" });
  expect(theCase.closed_at).toEqual(expect.any(String));
  const opened = await run(updateOperation("cases"), context, { id: theCase.id, status: "in_progress" });
  expect(opened.closed_at).toBeNull();
});
