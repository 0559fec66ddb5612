import type { Context } from "@/lib/context";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { type Answered, type Call, callerWith } from "@/tests/http/support/call-api";

export interface Keyed {
  context: Context;
  call: Call;
  createWith: (key: string, name?: string, caller?: Call) => Promise<Answered>;
  rowsOf: (table: string) => Promise<Record<string, unknown>[]>;
  /** Changes the stored rows of the organization's keys. */
  setKeys: (assignment: string) => Promise<unknown>;
}

/** A client of a new organization, which sends requests with idempotency keys. */
export async function keyedRequests(): Promise<Keyed> {
  const context = await createContext({ scopes: ["crm:write"] });
  const call = callerWith(await createAccessToken(context));
  return {
    context,
    call,
    createWith: (key, name = "Alpine Tools", caller = call) =>
      caller("POST", "/accounts", { body: { name }, headers: { "idempotency-key": key } }),
    rowsOf: async (table) =>
      (await pool().query(`SELECT * FROM ${table} WHERE organization_id = $1`, [context.organizationId])).rows,
    setKeys: (assignment) =>
      pool().query(`UPDATE idempotency_keys SET ${assignment} WHERE organization_id = $1`, [context.organizationId]),
  };
}

export function isReplayed({ headers }: Answered): boolean {
  return headers.get("idempotent-replayed") === "true";
}
