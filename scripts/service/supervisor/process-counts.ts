import { availableParallelism, totalmem } from "node:os";

import { hasInngestServer } from "@/lib/env-rules";
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
    memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
    sharesPorts: process.platform === "linux",
  };
}

/**
 * WEB_PROCESSES and WORKER_PROCESSES. Unset, a web process for every two cores and 2 GB of memory, and a worker for
 * every four cores, at least one of each; {@link defaultCounts} says where no more than one. With an Inngest server,
 * the web processes serve the functions, and there is no worker. Throws Fault if a setting is invalid.
 */
export function readProcessCounts(machine = thisMachine()): ProcessCounts {
  const defaults = defaultCounts(machine);
  const web = readCount("WEB_PROCESSES") ?? defaults.web;
  const worker = readCount("WORKER_PROCESSES") ?? defaults.worker;
  const { INNGEST_BASE_URL, INNGEST_DEV, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = process.env;
  const usesServer = hasInngestServer({ INNGEST_BASE_URL, INNGEST_DEV, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY });
  if (web > 1 && !machine.sharesPorts) {
    throw new Fault(
      `WEB_PROCESSES is ${web}, but several processes can share a port only on Linux. Leave it out for one.`,
    );
  }
  return { web, worker: usesServer ? 0 : worker };
}

/**
 * One of each beside a database of the operator's, which may not have the connections for more; one web process where
 * ports cannot be shared, and where METRICS_TOKEN is set without the METRICS_PORT that several need.
 */
function defaultCounts({ cores, memoryBytes, sharesPorts }: Machine): ProcessCounts {
  const { DATABASE_URL, METRICS_TOKEN, METRICS_PORT } = process.env;
  if (DATABASE_URL) return { web: 1, worker: 1 };
  const worker = within(Math.floor(cores / 4), DEFAULT_MOST.worker);
  if (!sharesPorts || (METRICS_TOKEN && !METRICS_PORT)) return { web: 1, worker };
  return { web: within(Math.floor(Math.min(cores / 2, memoryBytes / BYTES_PER_WEB)), DEFAULT_MOST.web), worker };
}

/** Where workers, and then web processes if there are several, show their metrics. None without METRICS_PORT. */
export function metricsPorts({ web, worker }: ProcessCounts): number[] {
  const value = process.env.METRICS_PORT;
  if (!value) return [];
  const first = numberOfDigits(value);
  if (!(first >= 1)) {
    throw new Fault(`METRICS_PORT is "${value}", which is not a port. Set it to a number from 1 to 65535.`);
  }
  return Array.from({ length: worker + (web > 1 ? web : 0) }, (_, index) => first + index);
}

/** Throws Fault if a process would show its metrics at `port`, the service's own, or at none that there is. */
export function assertMetricsPorts(counts: ProcessCounts, port: number): void {
  const ports = metricsPorts(counts);
  if (ports.every((each) => each < 65_536 && each !== port)) return;
  throw new Fault(
    `METRICS_PORT is ${ports[0]}, so the processes would show their metrics at ${ports[0]} to ${ports.at(-1)}. These ` +
      `must be ports below 65536 other than PORT (${port}).`,
  );
}

/** NaN for what is more than digits: `Number` would read 3e3 and 0xBB8, too. */
export function numberOfDigits(value: string): number {
  return /^\d+$/.test(value) ? Number(value) : NaN;
}

function within(count: number, most: number): number {
  return Math.min(most, Math.max(1, count));
}

function readCount(name: "WEB_PROCESSES" | "WORKER_PROCESSES"): number | undefined {
  const value = process.env[name];
  if (!value) return undefined;
  const count = numberOfDigits(value);
  if (count >= 1 && count <= MOST) return count;
  throw new Fault(
    `${name} is "${value}". Set it to a number from 1 to ${MOST}, or leave it out for one that fits the cores.`,
  );
}
