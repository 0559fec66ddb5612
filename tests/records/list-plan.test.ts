import { randomInt } from "node:crypto";

import { beforeAll, expect, test } from "vitest";

import { pool, transaction } from "@/lib/db";
import { importedId, newId } from "@/lib/ids";
import { filterSchemas } from "@/lib/records/filters";
import { listText } from "@/lib/records/list-records";
import { ENTITIES } from "@/lib/records/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/resources";
import { insertRecord } from "@/tests/support/factories";

const ROWS = 2_000;
const organizations = [newId(), newId(), newId()] as const;

interface Plan {
  "Node Type": string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Filter?: string;
  Plans?: Plan[];
}

/**
 * Some thousands of records of three organizations, created at random times, as an import leaves them: the first record again and again,
 * under other ids. Comments belong to a case each.
 */
async function fill(resource: ResourceName): Promise<void> {
  for (const organizationId of organizations) {
    const { rows } = await pool().query<{ id: string }>("SELECT id FROM cases WHERE organization_id = $1", [organizationId]);
    const template = await insertRecord(resource, organizationId, resource === "case_comments" ? { case_id: rows[0]?.id } : {});
    const copies = Array.from({ length: ROWS }, (_, index) => ({
      id: importedId(organizationId, newId(), new Date(randomInt(2 ** 41))),
      ...(resource === "cases" && { case_number: String(index) }),
      ...(resource === "case_comments" && { case_id: rows[index]?.id }),
    }));
    await pool().query(
      `INSERT INTO ${resource} SELECT (json_populate_record(template, copy)).* FROM ${resource} AS template, json_array_elements($2) AS copy WHERE id = $1`,
      [template, JSON.stringify(copies)],
    );
  }
  await pool().query(`ANALYZE ${resource}`);
}

beforeAll(async () => {
  for (const resource of RESOURCES) await fill(resource);
});

/** Every node of the plan that PostgreSQL makes for a list, once for given values and once for any. */
async function planOf(resource: ResourceName, filters: string[], mode: "force_custom_plan" | "force_generic_plan"): Promise<Plan[]> {
  return transaction(async (client) => {
    await client.query(`SET LOCAL plan_cache_mode = ${mode}`);
    await client.query(`PREPARE list AS ${listText(ENTITIES[resource], filters)}`);
    const values = [organizations[1], importedId(newId(), newId(), new Date(2 ** 40)), 51, ...filters.map(() => newId())];
    const { rows } = await client.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE list(${values.map((value) => `'${value}'`).join(", ")})`,
    );
    await client.query("DEALLOCATE list");
    return rows[0]?.["QUERY PLAN"].flatMap(({ Plan }) => flatten(Plan)) ?? [];
  });
}

function flatten(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flatten)];
}

/** The nodes that read a table or an index. */
function scansOf(nodes: Plan[]): Plan[] {
  return nodes.filter((node) => node["Node Type"].endsWith("Scan") && node["Node Type"] !== "Subquery Scan");
}

const MODES = ["force_custom_plan", "force_generic_plan"] as const;
const lists = RESOURCES.flatMap((resource) => MODES.map((mode) => ({ resource, mode })));

test.each(lists)("the list of $resource is one range of the primary key, and nothing is sorted ($mode)", async ({ resource, mode }) => {
  const nodes = await planOf(resource, [], mode);
  const scans = scansOf(nodes);
  expect(scans).toEqual([expect.objectContaining({ "Node Type": "Index Scan", "Scan Direction": "Backward", "Index Name": `${resource}_pkey` })]);
  expect(scans[0]?.["Index Cond"]).toMatch(/organization_id = .* AND \(id < /);
  expect(scans[0]?.Filter).toBeUndefined();
  expect(nodes.map((node) => node["Node Type"]).filter((type) => type.includes("Sort"))).toEqual([]);
});

const filtered = RESOURCES.flatMap((resource) =>
  Object.keys(filterSchemas(ENTITIES[resource])).flatMap((filter) => MODES.map((mode) => ({ resource, filter, mode }))),
);

test.each(filtered)("$resource by $filter are read from one index alone ($mode)", async ({ resource, filter, mode }) => {
  const nodes = await planOf(resource, [filter], mode);
  const scans = scansOf(nodes);
  expect(scans).toHaveLength(1);
  expect(scans[0]?.["Index Cond"]).toMatch(new RegExp(`organization_id = .* AND \\(+${filter}.* = `));
});
