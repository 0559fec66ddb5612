import { pool } from "@/lib/db";
import type { Plan } from "@/lib/migration/pipeline/plan";

/**
 * Lets PostgreSQL look at the table that an import is filling. It does so by itself about once a minute; until then it would plan foreign
 * key checks for the empty table that it remembers, and walk through all records of the organization for each of them.
 */
export async function refreshStatistics(plan: Plan): Promise<void> {
  await pool().query("SELECT refresh_statistics($1)", [plan.main.shape.resource]);
  if (plan.otherwise) await pool().query("SELECT refresh_statistics($1)", [plan.otherwise.shape.resource]);
}
