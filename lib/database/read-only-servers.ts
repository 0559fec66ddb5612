import type { EventEmitter } from "node:events";

import type { PoolClient } from "pg";

import { READ_ONLY } from "@/lib/database/error-codes";
import type { PipelinedReads } from "@/lib/database/pipelined-reads";

/** Adds a connection to `readers` when its server refuses a change: it is a standby, or its disk is nearly full. */
export function noteRefusedChanges(client: PoolClient, readers: Set<PoolClient>): void {
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.on("errorMessage", ({ code }: { code?: string }) => {
    if (code === READ_ONLY) readers.add(client);
  });
}

/**
 * Ends a connection to a server that takes no changes, and that of the short reads, which leads to the same one: after
 * a failover, other connections lead to the server that does.
 */
export function endReader(client: PoolClient & { end?: () => Promise<void> }, pipelined: PipelinedReads): void {
  void client.end?.();
  pipelined.renew();
}
