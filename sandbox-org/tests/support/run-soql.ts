import { Database } from "@/sandbox-org/data/database";
import { openOrg } from "@/sandbox-org/generator/population";
import type { Json } from "@/sandbox-org/schema/field";
import { ApiError, type ErrorBody } from "@/sandbox-org/server/api-error";
import { execute } from "@/sandbox-org/soql/execute";
import { parseSoql } from "@/sandbox-org/soql/parse";

export const SEED = 3;
export const SIZE = 30_000;
const database = new Database(openOrg(SEED, SIZE));

export type Row = Record<string, Json>;

/** Runs a query and reads all its rows. */
export function run(soql: string, all = false): { totalSize: number; rows: Row[] } {
  const answer = execute({ database, api: "data", all, root: "/services/data/v60.0" }, parseSoql(soql));
  if (answer.kind === "count") return { totalSize: answer.totalSize, rows: [] };
  if (answer.kind === "aggregate") return { totalSize: answer.rows.length, rows: [...answer.rows] };
  const rows: Row[] = [];
  for (
    let p = answer.source.advance(answer.start);
    p >= 0 && rows.length < answer.totalSize;
    p = answer.source.advance(p + 1)
  ) {
    rows.push(JSON.parse(answer.write(answer.source.ordinalAt(p))) as Row);
  }
  return { totalSize: answer.totalSize, rows };
}

/** The error body of a refused query. */
export function refused(soql: string): ErrorBody {
  try {
    run(soql);
  } catch (error) {
    if (error instanceof ApiError && error.bodies[0]) return error.bodies[0];
    throw error;
  }
  throw new Error(`${soql} was answered.`);
}
