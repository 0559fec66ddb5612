import { beforeAll, beforeEach, describe, expect, test } from "vitest";

import { type ResourceName, RESOURCES } from "@/lib/records/schema/resources";
import { recordJobs } from "@/tests/migration/support/api-service";

import { pool } from "@/tests/support/owner";
import { callRoute } from "@/tests/http/support/call-route";
import { stateOf } from "@/tests/http/matrix/support/kept";
import { LISTS } from "@/tests/http/matrix/support/lists";
import type { Populated } from "@/tests/http/matrix/support/populated";
import { copyRows, createTwins } from "@/tests/http/matrix/support/twins";

let ours: Populated;
let theirs: Populated;

async function arrange(): Promise<void> {
  ({ ours, theirs } = await createTwins());
}

interface Body extends Record<string, unknown> {
  id: string;
  data: Record<string, unknown>[];
  total?: number;
}

/** A request of ours that works and reveals nothing of theirs. */
async function send(method: string, path: string, body?: unknown): Promise<Body> {
  const { status, text } = await callRoute(method, path, path.startsWith("/settings") ? ours.admin : ours.bearer, body);
  expect([method, path, status < 300 || text]).toEqual([method, path, true]);
  expect(text).not.toContain(theirs.marker);
  expect(text).not.toContain(theirs.organizationId);
  expect(text).not.toContain('"status":"failed"');
  return JSON.parse(text) as Body;
}

/** As {@link send}, and it changes nothing of theirs. */
async function ask(method: string, path: string, body?: unknown): Promise<Body> {
  const before = await stateOf(theirs);
  const answer = await send(method, path, body);
  expect(await stateOf(theirs)).toEqual(before);
  return answer;
}

async function theirRow(table: string, id: string): Promise<Record<string, unknown> | undefined> {
  return (
    await pool().query<Record<string, unknown>>(`SELECT * FROM ${table} WHERE organization_id = $1 AND id = $2`, [
      theirs.organizationId,
      id,
    ])
  ).rows[0];
}

/** A text of each resource that can be changed. */
const TEXT: Record<ResourceName, string> = {
  accounts: "name",
  contacts: "last_name",
  cases: "subject",
  case_comments: "body",
  activities: "subject",
  leads: "last_name",
  opportunities: "name",
  products: "name",
};

describe("of organizations with the same ids", () => {
  beforeAll(arrange);

  test.each(LISTS)("$route has each row once, and only ours", async ({ route, path, queries }) => {
    const filled = route.replace("GET ", "").replaceAll(/\{(\w+)\}/g, (_, name: string) => path?.(ours)[name] ?? "");
    const before = await stateOf(theirs);
    for (const { of } of queries) {
      const { data } = await send("GET", `${filled}?${new URLSearchParams({ limit: "200", ...of(ours) }).toString()}`);
      const ids = data.map(
        ({ id, migration_id, connection_id, user_id, event_id }) =>
          id ?? migration_id ?? connection_id ?? user_id ?? event_id,
      );
      expect(new Set(ids).size).toBe(ids.length);
      expect(/settings.(clients|grants|members|sessions)|users/.test(route) || data.length >= 3).toBe(true);
    }
    expect(await stateOf(theirs)).toEqual(before);
  });

  test.each(RESOURCES)(
    "%s are read and written by ids and external ids that another organization's have too",
    async (resource) => {
      const id = ours.base[resource];
      const extId = encodeURIComponent(`twin ${id}`);
      const says = (text: string) => ({ [TEXT[resource]]: `${ours.marker} ${text}` });
      expect(await ask("GET", `/${resource}/${id}`)).toMatchObject({ id });
      expect(JSON.stringify(await ask("GET", `/${resource}/${id}?expand=owner`))).toContain(ours.userId);
      expect(await ask("GET", `/${resource}/by_ext_id/${extId}`)).toMatchObject({ id });
      expect(await ask("GET", `/${resource}?include=total&ext_id=${extId}`)).toMatchObject({
        data: [{ id }],
        total: 1,
      });
      expect(await ask("PATCH", `/${resource}/${id}`, says("patched"))).toMatchObject(says("patched"));
      expect(await ask("PUT", `/${resource}/by_ext_id/${extId}`, says("upserted"))).toMatchObject({
        id,
        ...says("upserted"),
      });
      const byId = { action: "update", id, data: says("batched") };
      expect(await ask("POST", `/${resource}/batch`, { mode: "per_item", items: [byId] })).toMatchObject({
        results: [{ record: { id, ...says("batched") } }],
      });
      const byExtId = { action: "upsert", ext_id: `twin ${id}`, data: says("again") };
      expect(await ask("POST", `/${resource}/batch`, { mode: "all_or_nothing", items: [byExtId] })).toMatchObject({
        results: [{ record: { id } }],
      });
    },
  );
});

describe("with the same ids as another organization's", () => {
  beforeEach(arrange);

  test.each(RESOURCES)(
    "deleting and restoring one of our %s leaves another organization's with the same id unchanged",
    async (resource) => {
      const id = ours.base[resource];
      const before = await ask("GET", `/${resource}/${id}`);
      await ask("DELETE", `/${resource}/${id}`);
      await copyRows("deleted_records", ours, theirs);
      await pool().query("UPDATE contacts SET account_id = NULL WHERE organization_id = $1", [theirs.organizationId]);
      const after = await ask("POST", `/${resource}/${id}/restore`);
      expect({ ...after, version: 0, updated_at: "" }).toEqual({ ...before, version: 0, updated_at: "" });
    },
  );

  test("a restored record points at nothing that only another organization still has", async () => {
    const [{ id: contact } = { id: "" }] = (await ask("GET", `/contacts?account_id=${ours.base.accounts}`)).data;
    await ask("DELETE", `/contacts/${contact as string}`);
    await ask("DELETE", `/accounts/${ours.base.accounts}`);
    expect(await ask("POST", `/contacts/${contact as string}/restore`)).toMatchObject({ account_id: null });
  });

  test("escalating affects our case only, and its thread continues after its own last comment", async () => {
    const { base, marker } = ours;
    expect(await ask("POST", `/cases/${base.cases}/escalate`, { reason: `${marker} reason` })).toMatchObject({
      is_escalated: true,
    });
    expect(await theirRow("cases", base.cases)).toMatchObject({ is_escalated: false });
    await pool().query("UPDATE case_comments SET position = 900 WHERE organization_id = $1 AND id = $2", [
      theirs.organizationId,
      base.case_comments,
    ]);
    const { position } = await ask("POST", `/cases/${base.cases}/comments`, { body: `${marker} says` });
    const { data } = await ask("GET", `/cases/${base.cases}/comments`);
    expect([position, data.at(-1)?.position, data.length]).toEqual([5, 5, 5]);
  });

  test("converting a lead leaves another organization's records with the same ids unchanged", async () => {
    const { base, marker } = ours;
    const body = {
      account_id: base.accounts,
      contact_id: base.contacts,
      create_opportunity: { name: `${marker} sale`, close_date: "2026-12-31" },
    };
    const { lead } = await ask("POST", `/leads/${base.leads}/convert`, body);
    expect(lead).toMatchObject({ id: base.leads, status: "converted" });
    expect((await ask("GET", `/activities?lead_id=${base.leads}`)).data).toEqual([]);
    expect(await theirRow("leads", base.leads)).toMatchObject({ status: "new" });
  });

  test("a change of stage is in the history of our opportunity alone", async () => {
    const path = `/opportunities/${ours.opportunity}`;
    await ask("PATCH", path, { stage: "closed_won" });
    expect((await ask("GET", `${path}/stage_changes`)).data).toHaveLength(5);
  });

  test("reading, configuring and running affect our migration only", async () => {
    recordJobs();
    const path = `/migration/${ours.migration}`;
    expect(await ask("GET", path)).toMatchObject({
      org_name: `${ours.marker} org`,
      status: "ready",
      objects: [{ object: "Account" }],
    });
    expect(await ask("GET", `${path}/report`)).toMatchObject({ org: `${ours.marker} org` });
    expect((await ask("GET", `${path}/errors/summary`)).data).toEqual([expect.objectContaining({ count: 4 })]);
    expect(await ask("PUT", `${path}/configuration`, { objects: { Account: { selected: true } } })).toBeTruthy();
    await pool().query("UPDATE migrations SET configuration = $2 WHERE organization_id = $1", [
      theirs.organizationId,
      { objects: { Case: { selected: false } } },
    ]);
    expect(await ask("GET", `${path}/configuration`)).toMatchObject({ objects: { Account: { selected: true } } });
    await pool().query("UPDATE migrations SET status = 'running' WHERE organization_id = $1", [theirs.organizationId]);
    expect(await ask("POST", "/migration/run", { migration_id: ours.migration })).toMatchObject({
      status: "running",
      run_number: 1,
    });
    expect(await theirRow("migrations", ours.migration)).toMatchObject({ run_number: 0 });
  });
});
