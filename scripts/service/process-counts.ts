import { availableParallelism, totalmem } from "node:os";

import { Fault } from "@/scripts/service/fault";

/** How many processes of each kind `npm start` runs. */
export interface ProcessCounts {
  web: number;
  worker: number;
}

/** What the defaults follow from. `sharesPorts`: several processes can listen at one port (SO_REUSEPORT). */
interface Machine {
  cores: number;
  memoryBytes: number;
  sharesPorts: boolean;
}

/** More would only wait for PostgreSQL, whose processes need cores too. */
const DEFAULT_MOST = { web: 4, worker: 2 };
const MOST = 16;

/** A web process under load, its share of PostgreSQL's memory and of the worker's (docs/deploy.md, "Sizes"). */
const BYTES_PER_WEB = 2 ** 31;

function thisMachine(): Machine {
  return {
    cores: availableParallelism(),
    memoryBytes: process.constrainedMemory() || totalmem(),
    sharesPorts: process.platform === "linux",
  };
}

/**
 * WEB_PROCESSES and WORKER_PROCESSES. Unset, a web process for every two cores and 2 GB of memory, and a worker for
 * every four cores; at least one of each. Throws Fault if one is invalid.
 */
export function readProcessCounts(machine = thisMachine()): ProcessCounts {
  const { cores, memoryBytes, sharesPorts } = machine;
  const webs = sharesPorts ? Math.floor(Math.min(cores / 2, memoryBytes / BYTES_PER_WEB)) : 1;
  const web = readCount("WEB_PROCESSES") ?? within(webs, DEFAULT_MOST.web);
  const worker = readCount("WORKER_PROCESSES") ?? within(Math.floor(cores / 4), DEFAULT_MOST.worker);
  if (web > 1 && !sharesPorts) {
    throw new Fault(
      `WEB_PROCESSES is ${web}, but several processes can share a port only on Linux. Leave it out for one.`,
    );
  }
  return { web, worker };
}

function within(count: number, most: number): number {
  return Math.min(most, Math.max(1, count));
}

function readCount(name: "WEB_PROCESSES" | "WORKER_PROCESSES"): number | undefined {
  const value = process.env[name];
  if (!value) return undefined;
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= MOST) return count;
  throw new Fault(
    `${name} is "${value}". Set it to a number from 1 to ${MOST}, or leave it out for one that fits the cores.`,
  );
}
