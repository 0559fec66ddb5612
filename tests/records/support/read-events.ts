import { setTimeout } from "node:timers/promises";

import type { Context } from "@/lib/context";
import { listEvents } from "@/lib/records/events/list-events";
import { pool } from "@/tests/support/owner";

import { run } from "@/tests/records/support/write-operations";

export interface Feed {
  data: { id: string; type: string; data: { object: object; previous: object | null } }[];
  next_cursor: string | null;
  has_more: boolean;
}

/** A page of the events feed. */
export async function feed(context: Context, input: object): Promise<Feed> {
  return (await run(listEvents, context, input)) as unknown as Feed;
}

/**
 * Waits until all committed events are visible: suites of other databases share the server, and their transactions
 * delay the feed.
 */
export async function settled(): Promise<void> {
  const now = await pool().query<{ tx: string }>("SELECT pg_current_xact_id()::text AS tx");
  const tx = now.rows[0]?.tx;
  for (;;) {
    const { rowCount } = await pool().query("SELECT WHERE pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8", [tx]);
    if (rowCount === 1) return;
    await setTimeout(2);
  }
}
