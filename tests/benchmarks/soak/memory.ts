import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Service } from "@/scripts/service/supervisor/start-service";
import { childrenOf, memoryOf } from "@/tests/benchmarks/process-memory";

/** The memory of each part of the service at one time, in megabytes, from /proc (Linux). */
export interface MemorySample {
  web: number;
  worker: number;
  /** Private memory of all its processes. Shared memory is one buffer of fixed size. */
  postgres: number;
}

/** Samples the service's memory at this interval until it is stopped. */
export function watchMemory(service: Service, everyMs: number): { samples: MemorySample[]; stop(): void } {
  const samples: MemorySample[] = [];
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    sample(service)
      .then(
        (measured) => samples.push(measured),
        (error: unknown) => console.error(error),
      )
      .finally(() => (busy = false));
  }, everyMs);
  return { samples, stop: () => clearInterval(timer) };
}

async function sample(service: Service): Promise<MemorySample> {
  const postmaster = Number((await readFile(join(service.dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
  const pids = service.pids();
  const [web, worker, postgres] = await Promise.all([
    memoryOf(pids.web[0], "VmRSS"),
    memoryOf(pids.worker[0], "VmRSS"),
    childrenOf(postmaster).then((pids) => Promise.all(pids.map((pid) => memoryOf(pid, "RssAnon")))),
  ]);
  return { web, worker, postgres: postgres.reduce((sum, each) => sum + each, 0) };
}
