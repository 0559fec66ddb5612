import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

import { Fault } from "@/scripts/service/fault";

const TRY_EVERY_MS = 250;

/** A TCP port of this machine that nothing uses at the moment. */
export async function freePort(): Promise<number> {
  return listenOnce(0, "127.0.0.1");
}

interface Place {
  port: number;
  /** Undefined means every address of the machine. */
  host: string | undefined;
}

/**
 * Throws a sentence when something listens there, and still does after `withinMs`, or when the machine has no such
 * address.
 */
export async function assertPortFree({ port, host }: Place, withinMs = 0, asked?: AbortSignal): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const error = await listenOnce(port, host).then(
      () => undefined,
      (reason: NodeJS.ErrnoException) => reason,
    );
    if (!error) return;
    if (error.code !== "EADDRINUSE" || Date.now() >= deadline) throw portFault({ port, host }, error);
    await setTimeout(TRY_EVERY_MS, undefined, { signal: asked }).catch(() => asked?.throwIfAborted());
  }
}

/** Listens for a moment; returns on which port. */
function listenOnce(port: number, host?: string): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer().once("error", fail);
    probe.listen({ port, host }, () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : port));
    });
  });
}

function portFault({ port, host }: Place, error: NodeJS.ErrnoException): Error {
  if (error.code === "EADDRINUSE") {
    return new Fault(
      `Port ${port} is in use by another program (perhaps this service, started before). Stop that program, or ` +
        `choose another port: PORT=${port + 1} npm start`,
    );
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND" || error.code === "EAI_AGAIN") {
    return new Fault(
      `This machine has no address ${host} to listen on. Set LISTEN_HOST to one of its own (127.0.0.1: this ` +
        "machine alone; 0.0.0.0: all).",
    );
  }
  if (error.code === "EACCES")
    return new Fault(`Port ${port} may not be used by this user. Choose one above 1023: PORT=3000 npm start`);
  return error;
}
