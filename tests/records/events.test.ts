import { describe, expect, test } from "vitest";

import { importedId, newId, timeOf } from "@/lib/ids";
import { EVENT_TYPES, listEvents } from "@/lib/records/events/list-events";
import { convertLead } from "@/lib/records/lead-conversion/convert-lead";
import {
  createOperation,
  deleteOperation,
  listOperation,
  restoreOperation,
  updateOperation,
} from "@/lib/records/operations";
import { purgeEvents } from "@/lib/records/purge";
import { createContext, insertRecord, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { feed, type Feed, settled } from "@/tests/records/support/read-events";
import { type Answer, refusal, run } from "@/tests/records/support/write-operations";

/** An organization with an account and a contact that were created and changed, and the contact deleted. */
async function history() {
  const context = await createContext();
  const account = await run(createOperation("accounts"), context, NEEDED.accounts);
  const contact = await run(createOperation("contacts"), context, NEEDED.contacts);
  const changed = await run(updateOperation("accounts"), context, { id: account.id, name: "Alpine Tools AG" });
  await run(deleteOperation("contacts"), context, { id: contact.id });
  await settled();
  return { context, account, changed, contact };
}

const since = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

async function age(table: string, column: string, organizationId: string, days: number): Promise<void> {
  await pool().query(`UPDATE ${table} SET ${column} = ${column} - $2 * interval '1 day' WHERE organization_id = $1`, [
    organizationId,
    days,
  ]);
}

/** Moves events into the past, with the times in their ids. */
async function ageEvents(organizationId: string, days: number): Promise<void> {
  await age("events", "created_at", organizationId, days);
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM events WHERE organization_id = $1", [
    organizationId,
  ]);
  for (const { id } of rows) {
    const before = new Date(timeOf(id).getTime() - days * 24 * 3_600_000);
    await pool().query("UPDATE events SET id = $2 WHERE id = $1", [id, importedId(organizationId, id, before)]);
  }
}

const typesOf = ({ data }: Feed) => data.map(({ type }) => type);

describe("the events feed", () => {
  test("shows of each event what happened, when, and the record after and before it", async () => {
    const { context, account, changed } = await history();
    const { data } = await feed(context, { record_id: account.id });
    expect(data).toEqual([
      {
        id: expect.any(String),
        type: "account.updated",
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        api_version: "v1",
        organization_id: context.organizationId,
        data: { object: changed, previous: { name: "Alpine Tools" } },
      },
      expect.objectContaining({ type: "account.created", data: { object: account, previous: null } }),
    ]);
    expect(listEvents.output.safeParse(await feed(context, {})).error).toBeUndefined();
  });

  test("tells by the version whether a created record is new, or restored", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("cases"), context, NEEDED.cases);
    await run(deleteOperation("cases"), context, { id });
    await run(restoreOperation("cases"), context, { id });
    await settled();
    const { data } = await feed(context, { record_id: id, type: "case.created", order: "asc" });
    expect(data.map(({ data: { object } }) => (object as Answer).version)).toEqual([1, 2]);
  });

  test("has no events for effects on other records, which a list by `updated_at` finds", async () => {
    const context = await createContext();
    const account = await run(createOperation("accounts"), context, NEEDED.accounts);
    const contact = await run(createOperation("contacts"), context, { ...NEEDED.contacts, account_id: account.id });
    const lead = await run(createOperation("leads"), context, { ...NEEDED.leads, company: "Alpine Tools" });
    const activity = await run(createOperation("activities"), context, { ...NEEDED.activities, lead_id: lead.id });
    const changedSince = async (resource: "contacts" | "activities", record: Answer) => {
      const list = (await run(listOperation(resource), context, {
        "updated_at[gte]": record.updated_at,
      })) as unknown as { data: Answer[] };
      return list.data.filter(({ id, version }) => id === record.id && version > record.version);
    };
    await run(deleteOperation("accounts"), context, { id: account.id });
    expect(await changedSince("contacts", contact)).toMatchObject([{ account_id: null, version: 2 }]);
    await run(restoreOperation("accounts"), context, { id: account.id });
    expect(await changedSince("contacts", contact)).toMatchObject([{ account_id: account.id, version: 3 }]);
    await run(convertLead, context, { id: lead.id });
    expect(await changedSince("activities", activity)).toMatchObject([{ lead_id: null, version: 2 }]);
    await settled();
    for (const { id } of [contact, activity]) expect((await feed(context, { record_id: id })).data).toHaveLength(1);
  });

  test("is newest first by default, or oldest first, page by page", async () => {
    const { context } = await history();
    const oldest = ["account.created", "contact.created", "account.updated", "contact.deleted"];
    expect(typesOf(await feed(context, { order: "asc" }))).toEqual(oldest);
    for (const order of ["asc", "desc"] as const) {
      const first = await feed(context, { order, limit: 3 });
      const second = await feed(context, { order, limit: 3, cursor: first.next_cursor });
      expect(first).toMatchObject({ has_more: true, next_cursor: first.data.at(-1)?.id });
      expect(second).toMatchObject({ has_more: false, next_cursor: null });
      expect([...typesOf(first), ...typesOf(second)]).toEqual(order === "asc" ? oldest : oldest.toReversed());
    }
  });

  test("oldest first, the next page continues after the last event that a client has", async () => {
    const context = await createContext();
    await run(createOperation("accounts"), context, NEEDED.accounts);
    await settled();
    const { data, ...rest } = await feed(context, { order: "asc" });
    expect(rest).toEqual({ next_cursor: null, has_more: false });
    const cursor = data.at(-1)?.id;
    expect(await feed(context, { order: "asc", cursor })).toMatchObject({ data: [] });
    await run(createOperation("contacts"), context, NEEDED.contacts);
    await run(createOperation("leads"), context, NEEDED.leads);
    await settled();
    expect(typesOf(await feed(context, { order: "asc", cursor }))).toEqual(["contact.created", "lead.created"]);
    expect(typesOf(await feed(context, { order: "asc", type: "lead.*", cursor }))).toEqual(["lead.created"]);
    expect(typesOf(await feed(context, { order: "desc", cursor }))).toEqual([]);
  });

  test.each([
    [{ type: "account.updated" }, ["account.updated"]],
    [{ type: "contact.*" }, ["contact.deleted", "contact.created"]],
    [{ type: "contact.*", limit: 1 }, ["contact.deleted"]],
    [{ type: "lead.converted" }, []],
    [
      { "created_at[gte]": "2000-01-01T00:00:00+02:00" },
      ["contact.deleted", "account.updated", "contact.created", "account.created"],
    ],
    [{ "created_at[gte]": "2999-01-01T00:00:00Z" }, []],
    [
      { "created_at[gte]": "2000-01-01T00:00:00Z", type: "account.*", order: "asc" },
      ["account.created", "account.updated"],
    ],
  ])("is filtered by %j", async (filter, types) => {
    const { context } = await history();
    expect(typesOf(await feed(context, filter))).toEqual(types);
  });

  test("is filtered by one type of one record", async () => {
    const { context, account, contact } = await history();
    expect(
      typesOf(
        await feed(context, { record_id: account.id, type: "account.*", "created_at[gte]": "2000-01-01T00:00:00Z" }),
      ),
    ).toHaveLength(2);
    expect(typesOf(await feed(context, { record_id: contact.id, type: "contact.deleted" }))).toEqual([
      "contact.deleted",
    ]);
    expect(typesOf(await feed(context, { record_id: contact.id, type: "account.*" }))).toEqual([]);
  });

  test("from a given time has all later events, also those of transactions that began before it", async () => {
    const context = await createContext();
    for (const hours of [72, 48, 24, 0]) {
      await pool().query(
        `INSERT INTO events (organization_id, id, created_at, type, record_id, object)
          VALUES ($1, $2, now() - $3 * interval '1 hour', 'account.created', $2, '{}')`,
        [context.organizationId, newId(), hours],
      );
    }
    await settled();
    for (const [hours, found] of [
      [100, 4],
      [49, 3],
      [25, 2],
      [1, 1],
    ] as const) {
      for (const order of ["asc", "desc"])
        expect((await feed(context, { "created_at[gte]": since(hours), order })).data).toHaveLength(found);
    }
  });

  test("can begin at a time of any offset", async () => {
    const { context } = await history();
    const all = (await feed(context, {})).data;
    for (const moment of ["2026-01-01T00:00:00+23:59", "2026-01-01T00:00:00-23:59", "0001-01-01T00:00:00Z"]) {
      expect((await feed(context, { "created_at[gte]": moment })).data).toEqual(all);
    }
    expect((await feed(context, { "created_at[gte]": "9999-12-31T23:59:59+23:59" })).data).toEqual([]);
  });

  test("shows no events of another organization", async () => {
    const { account } = await history();
    const stranger = await createContext();
    expect((await feed(stranger, {})).data).toEqual([]);
    expect((await feed(stranger, { record_id: account.id })).data).toEqual([]);
  });

  test("needs crm:read", async () => {
    const context = await createContext({ scopes: ["erp:read"] });
    expect(await refusal(feed(context, {}))).toMatchObject({ code: "insufficient_scope" });
  });

  test.each([
    [{ type: "acount.created" }, "/type invalid_value"],
    [{ type: "*" }, "/type invalid_value"],
    [{ order: "newest" }, "/order invalid_value"],
    [{ record_id: "1" }, "/record_id invalid_format"],
    [{ "created_at[gte]": "2026-02-30" }, "/created_at[gte] invalid_format"],
    [{ "created_at[gte]": "0001-01-01T00:00:00+14:00" }, "/created_at[gte] invalid_value"],
    [{ "created_at[gte]": "9999-12-31T23:59:59-14:00" }, "/created_at[gte] invalid_value"],
    [{ cursor: newId() }, "/cursor invalid_cursor"],
    [{ cursor: importedId("", "", new Date("2020-01-01")), order: "asc" }, "/cursor invalid_cursor"],
    [{ limit: 0 }, "/limit out_of_range"],
    [{ typ: "x" }, "/typ unknown_field"],
  ])("refuses %j", async (input, fault) => {
    expect(await refusal(feed(await createContext(), input))).toEqual({ code: "invalid_request", errors: [fault] });
  });

  test("knows every type of event that is emitted anywhere", async () => {
    await history();
    const { rows } = await pool().query<{ type: string }>("SELECT DISTINCT type FROM events");
    expect(rows.length).toBeGreaterThan(3);
    for (const { type } of rows) expect(EVENT_TYPES).toContain(type);
    for (const type of ["opportunity.stage_changed", "case.escalated", "lead.converted", "case_comment.created"])
      expect(EVENT_TYPES).toContain(type);
  });
});

describe("after 30 days", () => {
  test("whoever begins with the oldest event can read on, while expired ones wait to be purged", async () => {
    const { context } = await history();
    await ageEvents(context.organizationId, 30.5);
    const [expired] = (await feed(context, { order: "desc", limit: 1 })).data;
    await run(createOperation("leads"), context, NEEDED.leads);
    await settled();
    for (const input of [{}, { "created_at[gte]": since(31 * 24) }, { cursor: expired?.id }])
      expect(typesOf(await feed(context, { order: "asc", limit: 1, ...input }))).toEqual(["lead.created"]);
  });

  test("events are purged, at the earliest a day later than promised", async () => {
    const [old, young] = [await createContext(), await createContext()];
    for (const context of [old, young]) await insertRecord("accounts", context.organizationId);
    for (const context of [old, young]) await run(createOperation("accounts"), context, NEEDED.accounts);
    await age("events", "created_at", old.organizationId, 32);
    await age("events", "created_at", young.organizationId, 30);
    expect(await purgeEvents()).toBe(1);
    await settled();
    expect((await feed(old, {})).data).toEqual([]);
    expect((await feed(young, {})).data).toHaveLength(1);
  });
});
