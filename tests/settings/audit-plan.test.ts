import { beforeAll, expect, test } from "vitest";

import { AUDIT_ACTIONS } from "@/lib/audit";
import { pool, transaction } from "@/lib/db";
import { importedId, lowestIdAt, newId } from "@/lib/ids";
import { type AuditFilter, auditQuery } from "@/lib/settings/audit-query";
import { createOrganization } from "@/tests/support/factories";

const EVENTS = 8_000;
const START = Date.UTC(2026, 0, 1);
const users = Array.from({ length: 20 }, newId);
const clients = Array.from({ length: 20 }, newId);
let organizationId = "";

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Actual Rows"?: number;
  Plans?: Plan[];
}

/** A minute between events; every person, client and action in turn. */
async function fill(organization: string): Promise<void> {
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    id: importedId(organization, newId(), new Date(START + index * 60_000)),
    action: AUDIT_ACTIONS[index % AUDIT_ACTIONS.length],
    user_id: users[(index * 7) % users.length],
    client_id: clients[(index * 11) % clients.length],
  }));
  await pool().query(
    `INSERT INTO audit_events (organization_id, id, created_at, action, user_id, client_id, details)
     SELECT $1, id, now(), action, user_id, client_id, '{}' FROM json_to_recordset($2) AS e (id uuid, action text, user_id uuid, client_id uuid)`,
    [organization, JSON.stringify(events)],
  );
}

beforeAll(async () => {
  organizationId = await createOrganization();
  for (const each of [await createOrganization("Other"), organizationId, await createOrganization("Third")]) await fill(each);
  await pool().query("ANALYZE audit_events");
});

/** The plan of a page, run with values; the planner sees either them or, in a generic plan, none. */
async function planOf(filter: AuditFilter, mode: string): Promise<Plan[]> {
  const { text, values } = auditQuery(organizationId, filter);
  const literals = values.map((value) => (Array.isArray(value) ? `'{${value.join(",")}}'` : `'${String(value)}'`));
  return transaction(async (client) => {
    await client.query(`SET LOCAL plan_cache_mode = ${mode}`);
    await client.query(`PREPARE page AS ${text}`);
    const { rows } = await client.query<{ "QUERY PLAN": { Plan: Plan }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page(${literals.join(", ")})`);
    await client.query("DEALLOCATE page");
    return rows[0]?.["QUERY PLAN"].flatMap(({ Plan: root }) => flatten(root)) ?? [];
  });
}

function flatten(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flatten)];
}

const limit = 51;
const cursor = lowestIdAt(new Date(START + 6_000 * 60_000));
const [action, other] = AUDIT_ACTIONS;
const [user_id, client_id] = [users[3], clients[5]];
const from = lowestIdAt(new Date(START + 1_000 * 60_000));

const CASES: [name: string, filter: AuditFilter, condition: RegExp][] = [
  ["nothing", { limit }, /organization_id = /],
  ["a cursor", { limit, cursor }, /organization_id = .* AND \(id < /],
  ["times", { limit, from, until: cursor }, /organization_id = .* AND \(id >= .* AND \(id < /],
  ["an action", { limit, actions: [action], cursor }, /organization_id = .* AND \(action = .* AND \(id < /],
  ["a person", { limit, user_id, cursor }, /organization_id = .* AND \(user_id = .* AND \(id < /],
  ["an API client", { limit, client_id, cursor }, /organization_id = .* AND \(client_id = .* AND \(id < /],
  ["a person and times", { limit, user_id, from, until: cursor }, /organization_id = .* AND \(user_id = .* AND \(id >= /],
];
const MODES = ["force_custom_plan", "force_generic_plan"];
const each = CASES.flatMap(([name, filter, condition]) => MODES.map((mode) => ({ name, filter, condition, mode })));

const sorts = (nodes: Plan[]) => nodes.filter((node) => node["Node Type"].includes("Sort"));
const readers = (nodes: Plan[]) => nodes.filter((node) => node["Relation Name"] === "audit_events");

test.each(each)("the log by $name is one range of one index, and nothing is sorted ($mode)", async ({ filter, condition, mode }) => {
  const nodes = await planOf(filter, mode);
  expect(readers(nodes)).toEqual([expect.objectContaining({ "Node Type": "Index Scan", "Index Cond": expect.stringMatching(condition) })]);
  expect(readers(nodes)[0]?.["Actual Rows"]).toBe(limit);
  expect(sorts(nodes)).toEqual([]);
});

test.each(MODES)("several actions are read as a range each, a page at most of every one (%s)", async (mode) => {
  const nodes = await planOf({ limit, actions: [action, other], cursor }, mode);
  expect(readers(nodes)).toEqual([
    expect.objectContaining({ "Node Type": "Index Scan", "Index Cond": expect.stringMatching(/organization_id = .* AND \(action = .* AND \(id < /) }),
  ]);
  expect(readers(nodes)[0]?.["Actual Rows"]).toBeLessThanOrEqual(limit);
  expect(sorts(nodes).every((node) => (node["Actual Rows"] ?? 0) <= 2 * limit)).toBe(true);
});

test.each(MODES)("filters together are read through indexes alone, and never the whole log (%s)", async (mode) => {
  const nodes = await planOf({ limit, user_id, client_id, actions: [action], cursor }, mode);
  expect(nodes.filter((node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === "audit_events")).toEqual([]);
  const conditions = nodes.flatMap((node) => node["Index Cond"] ?? []);
  expect(conditions.some((condition) => /organization_id = .* AND \((action|user_id|client_id) = .* AND \(id < /.test(condition))).toBe(true);
});
