import type { QueryResultRow } from "pg";

import { setStatementTimeout, transaction } from "@/lib/database/db";

/**
 * Of statements that jobs run. Long, because nobody waits for an answer, and tables may be large or without statistics,
 * or the disk may be slow.
 */
export const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/** Runs a statement of a job that reads whole tables, and returns its rows. */
export function queryLong<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
  return transaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    return (await client.query<Row>(text, [...values])).rows;
  });
}
