import { join } from "node:path";

import { LoadProcess } from "@/tests/benchmarks/api/load-process";
import { withOwnService } from "@/tests/benchmarks/api/own-service";
import { quantile } from "@/tests/benchmarks/api/percentiles";
import { seedOpportunities } from "@/tests/benchmarks/api/seed-opportunities";
import { createTenants } from "@/tests/benchmarks/api/tenants";
import type { Measurement } from "@/tests/benchmarks/measurement";
import { flatness } from "@/tests/benchmarks/soak/flatness";
import { type MemorySample, watchMemory } from "@/tests/benchmarks/soak/memory";
import type { SoakTask, SoakReport } from "@/tests/benchmarks/soak/mixed-work";

const TENANTS = 20;
const RECORDS_EACH = 5000;
const CONNECTIONS = 64;
const SAMPLE_SECONDS = 3;
const PARTS = ["web", "worker", "postgres"] as const;

export interface SoakResult {
  measurements: Measurement[];
  /** Sentences about what went wrong. Empty if nothing did. */
  faults: string[];
}

/** Mixed reads and writes of the built service over 64 connections. No request may fail, and memory must stay flat. */
export async function soak(minutes: number): Promise<SoakResult> {
  return withOwnService("npm run soak", async (service) => {
    const tenants = await createTenants(service, TENANTS);
    await seedOpportunities(
      tenants,
      tenants.map(() => RECORDS_EACH),
    );
    await using load = new LoadProcess<SoakTask, SoakReport>(join(import.meta.dirname, "soak/mixed-work.ts"));
    const memory = watchMemory(service, SAMPLE_SECONDS * 1000);
    const tokens = tenants.map(({ token }) => token);
    const report = await load.run({ origin: service.baseUrl, connections: CONNECTIONS, seconds: minutes * 60, tokens });
    memory.stop();
    return judge(minutes, report, memory.samples);
  });
}

function judge(minutes: number, report: SoakReport, samples: readonly MemorySample[]): SoakResult {
  const flat = PARTS.map((part) => ({
    part,
    ...flatness(
      samples.map((sample) => sample[part]),
      SAMPLE_SECONDS,
    ),
  }));
  const requests = [...report.latencies.values()].reduce((sum, { length }) => sum + length, 0);
  const measurements: Measurement[] = [
    { name: "time", value: minutes, unit: "minutes" },
    { name: "requests", value: requests, unit: "" },
    { name: "errors", value: report.faults, unit: "" },
    { name: "speed", value: Math.round(requests / report.seconds), unit: "requests/s" },
    ...[...report.latencies].toSorted().map(([kind, values]) => ({
      name: `${kind} (${values.length}): p50, p95, p99`,
      value: percentiles(values),
      unit: "ms",
    })),
    ...flat.map(({ part, second, last }) => ({
      name: `memory of ${part}: second, last third`,
      value: `${Math.round(second)}, ${Math.round(last)}`,
      unit: "MB",
    })),
    ...flat.map(({ part, slope }) => ({
      name: `memory of ${part}: slope of the last two thirds`,
      value: slope.toFixed(2),
      unit: "MB/minute",
    })),
  ];
  const growing = flat
    .filter(({ isFlat }) => !isFlat)
    .map(({ part, second, last }) => `Memory of ${part} grew from ${Math.round(second)} to ${Math.round(last)} MB.`);
  const failed = report.faults > 0 ? [`${report.faults} requests failed. The first of them:`, ...report.examples] : [];
  return { measurements, faults: [...failed, ...growing] };
}

function percentiles(values: readonly number[]): string {
  return [0.5, 0.95, 0.99].map((part) => quantile(values, part).toFixed(0)).join(", ");
}
