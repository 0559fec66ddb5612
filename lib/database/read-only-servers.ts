import type { EventEmitter } from "node:events";

import type { ClientBase } from "pg";

import { READ_ONLY } from "@/lib/database/error-codes";

const readers = new WeakSet<ClientBase>();

/** Notes that the server of a connection takes no changes, so that the connection is ended when it is released. */
export function noteReader(client: ClientBase): void {
  readers.add(client);
}

/** Notes it when the server refuses a change: it is a standby, or was made one, or its disk is nearly full. */
export function noteRefusedChanges(client: ClientBase): void {
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.on("errorMessage", ({ code }: { code?: string }) => {
    if (code === READ_ONLY) noteReader(client);
  });
}

/**
 * Ends a connection to a server that takes no changes: after a failover, another one leads to the server that does.
 * Returns whether it was one.
 */
export function endIfReader(client: ClientBase & { end?: () => Promise<void> }): boolean {
  if (!readers.delete(client)) return false;
  void client.end?.();
  return true;
}
