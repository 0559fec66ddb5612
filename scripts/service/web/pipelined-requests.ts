import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * Of one connection. Beyond it, the connection is not read until fewer wait. What was read before, up to 64 KB of small
 * requests, waits too.
 */
const MAX_WAITING = 50;

/** The latest response of each connection. */
const latest = new WeakMap<Duplex, ServerResponse>();

/** How many requests of a connection wait for those before them. */
const waiting = new WeakMap<Duplex, number>();

/** Waits until every request of a connection that has been read so far has its answer, or the connection has ended. */
export async function afterAllRequests(socket: Duplex): Promise<void> {
  const before = latest.get(socket);
  if (before && !before.closed) await new Promise((done) => before.once("close", done));
}

/** The latest response of a connection, which may be to a request that is still being read. */
export function latestResponse(socket: Duplex): ServerResponse | undefined {
  return latest.get(socket);
}

/**
 * Waits until every earlier request of the connection has its answer (RFC 9112 §9.3.2, "Pipelining"): answers are sent
 * in the order of requests. One that were ready before would hold what an earlier request waits for, such as a slot of
 * its organization, and neither would ever be sent. Returns false, with the response destroyed, if the connection has
 * been closed meanwhile: then no request is to be carried out any more (§9.6).
 */
export async function afterEarlierRequests(socket: Socket, response: ServerResponse): Promise<boolean> {
  const before = latest.get(socket);
  latest.set(socket, response);
  if (!before || before.closed) return true;
  add(socket, 1);
  await new Promise((done) => before.once("close", done));
  add(socket, -1);
  // The idle timeout of the answer before would apply to this request, too.
  socket.setTimeout(0);
  if (socket.writable) return true;
  response.destroy();
  return false;
}

function add(socket: Socket, change: 1 | -1): void {
  const before = waiting.get(socket) ?? 0;
  waiting.set(socket, before + change);
  if (before > MAX_WAITING && before + change <= MAX_WAITING) socket.resume();
  // Node resumes the connection after each request that it has read, so it is paused after that.
  if (change === 1 && before >= MAX_WAITING) queueMicrotask(() => pauseWhileMany(socket));
}

function pauseWhileMany(socket: Socket): void {
  if ((waiting.get(socket) ?? 0) > MAX_WAITING) socket.pause();
}
