import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { TOOLS } from "@/lib/mcp/tools/all";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";
import { callTool } from "@/tests/mcp/support/post";
import { createMigration } from "@/tests/migration/support/run-migration";
import { createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

/** Stands in every record of the other organization. */
const MARK = "BelongsToOthers";

type Ids = Record<ResourceName, string> & { migration: string };

async function arrange(): Promise<{ theirs: Context; ids: Ids }> {
  const theirs = await createContext();
  await pool().query("UPDATE users SET name = name || $2 WHERE id = $1", [theirs.userId, MARK]);
  const ids = {} as Ids;
  for (const resource of RESOURCES) {
    const caseId = resource === "case_comments" ? { case_id: ids.cases } : {};
    ids[resource] = await insertRecord(resource, theirs.organizationId, { ...caseId, ext_id: `${MARK} ${resource}` });
  }
  ids.migration = (await createMigration(undefined, undefined, theirs.organizationId)).migrationId;
  return { theirs, ids };
}

/** Everything of an organization that a tool could change. */
async function stateOf({ organizationId }: Context): Promise<string> {
  const tables = [...RESOURCES, "migrations", "events", "deleted_records"];
  const rows = await Promise.all(
    tables.map(async (table) => {
      const { rows: found } = await pool().query(
        `SELECT jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)::text) AS all FROM ${table} t WHERE organization_id = $1`,
        [organizationId],
      );
      return found[0].all;
    }),
  );
  return JSON.stringify(rows);
}

const each = (ids: Ids, argumentsFor: (object: ResourceName, id: string) => object) =>
  RESOURCES.map((object) => argumentsFor(object, ids[object]));

/** What each tool is asked with the other organization's ids. */
const ASKED: Record<string, (ids: Ids) => object[]> = {
  whoami: () => [{}],
  list_users: () => [{}, { query: MARK }],
  describe_object: () => [{ object: "contacts" }],
  search: () => [{ query: MARK }, { query: "alpine" }],
  query_records: (ids) =>
    each(ids, (object) => ({ object })).concat([
      { object: "contacts", filters: { account_id: ids.accounts } },
      { object: "contacts", filters: { ext_id: `${MARK} contacts` } },
      { object: "contacts", cursor: ids.contacts },
    ]),
  get_records: (ids) => each(ids, (object, id) => ({ object, ids: [id] })),
  get_related: (ids) => each(ids, (object, id) => ({ object, id })),
  get_timeline: (ids) =>
    (["accounts", "contacts", "cases", "opportunities", "leads"] as const).map((object) => ({
      object,
      id: ids[object],
    })),
  pipeline_summary: () => [{}],
  create_record: (ids) => [
    { object: "contacts", fields: { last_name: "x", account_id: ids.accounts } },
    { object: "case_comments", fields: { body: "x", case_id: ids.cases } },
  ],
  update_record: (ids) => each(ids, (object, id) => ({ object, id, expected_version: 1, fields: { ext_id: "x" } })),
  log_activity: (ids) => [{ type: "call", subject: "x", contact_id: ids.contacts }],
  change_stage: (ids) => [{ id: ids.opportunities, expected_version: 1, stage: "proposal" }],
  escalate_case: (ids) => [{ id: ids.cases, expected_version: 1, reason: "x" }],
  convert_lead: (ids) => [{ id: ids.leads, expected_version: 1 }],
  delete_record: (ids) => each(ids, (object, id) => ({ object, id, expected_version: 1 })),
  list_migrations: () => [{}],
  migration_status: (ids) => [{ migration_id: ids.migration }],
  migration_report: (ids) => [{ migration_id: ids.migration }],
  migration_errors: (ids) => [{ migration_id: ids.migration }],
  preview_migration: (ids) => [{ migration_id: ids.migration, object: "Account" }],
  run_migration: (ids) => [{ migration_id: ids.migration }],
  pause_migration: (ids) => [{ migration_id: ids.migration }],
};

test("no tool reads or changes what belongs to another organization", async () => {
  const { theirs, ids } = await arrange();
  const ours = await createContext();
  const before = await stateOf(theirs);
  const leaks: string[] = [];
  for (const { name } of TOOLS)
    for (const args of ASKED[name]?.(ids) ?? [{ nobody: "has asked this tool" }]) {
      const { text, isError } = await callTool(ours, name, args);
      const asksById = JSON.stringify(args).includes("-7");
      const isRefused = isError === true || /"data":\[\]/.test(text);
      if (text.includes(MARK) || (asksById && !isRefused)) leaks.push(`${name} ${JSON.stringify(args)}: ${text}`);
    }
  expect(leaks).toEqual([]);
  expect(await stateOf(theirs)).toBe(before);
  expect(Object.keys(ASKED).toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted());
}, 120_000);
