import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { rolledBack } from "@/lib/database/transactions";

/** One node of a plan in `EXPLAIN (FORMAT JSON)`. */
export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Scan Direction"?: string;
  /** How many rows PostgreSQL expects. */
  "Plan Rows": number;
  "Actual Rows"?: number;
  "Rows Removed by Filter"?: number;
  Filter?: string;
  Plans?: PlanNode[];
}

/** Planned for the given values, or for any, as a prepared statement that is used often. */
export const PLAN_MODES = ["force_custom_plan", "force_generic_plan"] as const;
export type PlanMode = (typeof PLAN_MODES)[number];

interface Asked {
  text: string;
  values: readonly unknown[];
}

interface Options {
  /** `ANALYZE` runs the statement and reports the rows of each node. */
  analyze?: boolean;
  /** The settings that are off where the statement runs. */
  off?: readonly string[];
}

/**
 * Every node of PostgreSQL's plan for a statement within the organization that is its first value. Changes of the
 * statement are rolled back.
 */
export function planOf(asked: Asked, mode: PlanMode, options: Options = {}): Promise<PlanNode[]> {
  return inOrganization(String(asked.values[0]), () => explain(asked, mode, options));
}

/** As {@link planOf}, for a statement across organizations. */
export function planAcross(asked: Asked, mode: PlanMode, options: Options = {}): Promise<PlanNode[]> {
  return acrossOrganizations(() => explain(asked, mode, options));
}

function explain({ text, values }: Asked, mode: PlanMode, { analyze = false, off = [] }: Options): Promise<PlanNode[]> {
  return rolledBack(async (client) => {
    await client.query(`SET LOCAL plan_cache_mode = ${mode}`);
    for (const name of off) await client.query(`SET LOCAL ${name} = off`);
    await client.query(`PREPARE explained AS ${text}`);
    const parameters = values.length > 0 ? `(${values.map(literal).join(", ")})` : "";
    const options = analyze ? "FORMAT JSON, ANALYZE" : "FORMAT JSON";
    const statement = `EXPLAIN (${options}) EXECUTE explained${parameters}`;
    const { rows } = await client.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(statement);
    await client.query("DEALLOCATE explained");
    return rows[0]?.["QUERY PLAN"].flatMap(({ Plan }) => flatten(Plan)) ?? [];
  });
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

function literal(value: unknown): string {
  if (value === null) return "NULL";
  const text = Array.isArray(value) ? `{${value.join(",")}}` : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

/** The nodes that read a table or an index. */
export function readersOf(nodes: readonly PlanNode[]): PlanNode[] {
  return nodes.filter(
    ({ "Node Type": type }) => type.endsWith("Scan") && !/^(?:Subquery|Function|Values|CTE) /.test(type),
  );
}

/** The kinds of sorting in the plan. */
export function sortsOf(nodes: readonly PlanNode[]): string[] {
  return nodes.map((node) => node["Node Type"]).filter((type) => type.includes("Sort"));
}
