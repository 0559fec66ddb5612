import { beforeAll, expect, test } from "vitest";

import { importedId, minIdAt, newId } from "@/lib/ids";
import { AUDIT_ACTIONS } from "@/lib/security/audit";
import { type AuditFilter, auditQuery } from "@/lib/settings/audit-log";
import { createOrganization } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { PLAN_MODES, type PlanMode, type PlanNode, planOf } from "@/tests/support/query-plan";

const EVENTS = 8_000;
const START = Date.UTC(2026, 0, 1);
const users = Array.from({ length: 20 }, newId);
const clients = Array.from({ length: 20 }, newId);
let organizationId = "";

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
     SELECT $1, id, now(), action, user_id, client_id, '{}'
     FROM json_to_recordset($2) AS e (id uuid, action text, user_id uuid, client_id uuid)`,
    [organization, JSON.stringify(events)],
  );
}

beforeAll(async () => {
  organizationId = await createOrganization();
  for (const each of [await createOrganization("Other"), organizationId, await createOrganization("Third")])
    await fill(each);
  await pool().query("ANALYZE audit_events");
});

function planOfPage(filter: AuditFilter, mode: PlanMode): Promise<PlanNode[]> {
  return planOf(auditQuery(organizationId, filter), mode, { analyze: true });
}

const limit = 51;
const cursor = minIdAt(new Date(START + 6_000 * 60_000));
const [action, other] = AUDIT_ACTIONS;
const [user_id, client_id] = [users[3], clients[5]];
const from = minIdAt(new Date(START + 1_000 * 60_000));

const CASES: [name: string, filter: AuditFilter, condition: RegExp][] = [
  ["nothing", { limit }, /organization_id = /],
  ["a cursor", { limit, cursor }, /organization_id = .* AND \(id < /],
  ["times", { limit, from, until: cursor }, /organization_id = .* AND \(id >= .* AND \(id < /],
  ["an action", { limit, actions: [action], cursor }, /organization_id = .* AND \(action = .* AND \(id < /],
  ["a person", { limit, user_id, cursor }, /organization_id = .* AND \(user_id = .* AND \(id < /],
  ["an API client", { limit, client_id, cursor }, /organization_id = .* AND \(client_id = .* AND \(id < /],
  [
    "a person and times",
    { limit, user_id, from, until: cursor },
    /organization_id = .* AND \(user_id = .* AND \(id >= /,
  ],
];
const each = CASES.flatMap(([name, filter, condition]) =>
  PLAN_MODES.map((mode) => ({ name, filter, condition, mode })),
);

const sorts = (nodes: PlanNode[]) => nodes.filter((node) => node["Node Type"].includes("Sort"));
const readers = (nodes: PlanNode[]) => nodes.filter((node) => node["Relation Name"] === "audit_events");

test.each(each)(
  "the log by $name is one range of one index, and nothing is sorted ($mode)",
  async ({ filter, condition, mode }) => {
    const nodes = await planOfPage(filter, mode);
    expect(readers(nodes)).toEqual([
      expect.objectContaining({ "Node Type": "Index Scan", "Index Cond": expect.stringMatching(condition) }),
    ]);
    expect(readers(nodes)[0]?.["Actual Rows"]).toBe(limit);
    expect(sorts(nodes)).toEqual([]);
  },
);

test.each(PLAN_MODES)("several actions are read as one range each, at most a page per action (%s)", async (mode) => {
  const nodes = await planOfPage({ limit, actions: [action, other], cursor }, mode);
  expect(readers(nodes)).toEqual([
    expect.objectContaining({
      "Node Type": "Index Scan",
      "Index Cond": expect.stringMatching(/organization_id = .* AND \(action = .* AND \(id < /),
    }),
  ]);
  expect(readers(nodes)[0]?.["Actual Rows"]).toBeLessThanOrEqual(limit);
  expect(sorts(nodes).every((node) => (node["Actual Rows"] ?? 0) <= 2 * limit)).toBe(true);
});

test.each(PLAN_MODES)("combined filters use indexes only, and never read the whole log (%s)", async (mode) => {
  const nodes = await planOfPage({ limit, user_id, client_id, actions: [action], cursor }, mode);
  expect(nodes.filter((node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === "audit_events")).toEqual(
    [],
  );
  const conditions = nodes.flatMap((node) => node["Index Cond"] ?? []);
  expect(
    conditions.some((condition) =>
      /organization_id = .* AND \((action|user_id|client_id) = .* AND \(id < /.test(condition),
    ),
  ).toBe(true);
});
