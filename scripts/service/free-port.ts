import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

import { Fault } from "@/scripts/service/fault";

const RETRY_MS = 250;

/** A TCP port of this machine that is not in use. */
export async function freePort(): Promise<number> {
  return listenOnce(0, "127.0.0.1");
}

interface ListenAddress {
  port: number;
  /** Undefined: all addresses of the machine. */
  host: string | undefined;
}

/** Throws Fault if something still listens there after `timeoutMs`, or if the machine has no such address. */
export async function assertPortFree(
  { port, host }: ListenAddress,
  timeoutMs = 0,
  stopSignal?: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const error = await listenOnce(port, host).then(
      () => undefined,
      (reason: NodeJS.ErrnoException) => reason,
    );
    if (!error) return;
    if (error.code !== "EADDRINUSE" || Date.now() >= deadline) throw portFault({ port, host }, error);
    await setTimeout(RETRY_MS, undefined, { signal: stopSignal }).catch(() => stopSignal?.throwIfAborted());
  }
}

/** Listens for a moment and returns the port. */
function listenOnce(port: number, host?: string): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer().once("error", fail);
    probe.listen({ port, host }, () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : port));
    });
  });
}

/** What to do about an error of `listen`, as a Fault; the error itself if it is another one. */
export function portFault({ port, host }: ListenAddress, error: NodeJS.ErrnoException): Error {
  if (error.code === "EADDRINUSE") {
    return new Fault(
      `Port ${port} is in use by another program, perhaps by this service, started earlier. Stop that program, or ` +
        `choose another port: PORT=${port + 1} npm start`,
    );
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND" || error.code === "EAI_AGAIN") {
    return new Fault(
      `This machine does not have the address ${host}. Set LISTEN_HOST to one that it has (127.0.0.1: reachable only ` +
        "from this machine; 0.0.0.0: all addresses).",
    );
  }
  if (error.code === "EACCES")
    return new Fault(`This user may not use port ${port}. Choose one above 1023: PORT=3000 npm start`);
  return error;
}
