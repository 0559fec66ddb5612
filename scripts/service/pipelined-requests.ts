import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Of one connection. Beyond it, nothing more is read from the connection until fewer wait. */
const MAX_WAITING = 50;

/** The latest response of each connection. */
const latest = new WeakMap<Duplex, ServerResponse>();

/** How many requests of a connection wait for those before them. */
const waiting = new WeakMap<Duplex, number>();

/** What a refusal of the next request on a connection must be sent after, and so may not be sent at all. */
export function latestResponse(socket: Duplex): ServerResponse | undefined {
  return latest.get(socket);
}

/**
 * Waits until every earlier request of the connection has its answer (RFC 9112 §9.3.2, "Pipelining"): answers are sent
 * in the order of requests. One that were ready before would hold what an earlier request waits for, such as a slot of
 * its organization, and neither would ever be sent. Returns false if the connection has ended meanwhile.
 */
export async function afterEarlierRequests(socket: Socket, response: ServerResponse): Promise<boolean> {
  const before = latest.get(socket);
  latest.set(socket, response);
  if (!before || before.closed) return true;
  count(socket, 1);
  await once(before, "close");
  count(socket, -1);
  return !socket.destroyed;
}

function count(socket: Socket, change: 1 | -1): void {
  const now = (waiting.get(socket) ?? 0) + change;
  waiting.set(socket, now);
  if (now > MAX_WAITING) socket.pause();
  else if (now === MAX_WAITING && change === -1) socket.resume();
}
