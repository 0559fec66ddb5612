import type { Measurement } from "@/tests/benchmarks/measurement";
import { withBenchmarkSetup } from "@/tests/benchmarks/webhooks/setup";
import { measureHanging } from "@/tests/benchmarks/webhooks/hanging";
import { measureLatency } from "@/tests/benchmarks/webhooks/latency";
import { measureOutboxCost } from "@/tests/benchmarks/webhooks/outbox-cost";
import { measureSpeed } from "@/tests/benchmarks/webhooks/speed";

/** BENCH_ROWS: any number, for a quick run, whose figures mean little. */
const IS_QUICK = Boolean(process.env.BENCH_ROWS);

const QUICK = {
  speed: { deliveries: 5000, rounds: 2 },
  changes: 50,
  hanging: { deliveries: 500, rounds: 2 },
  cost: { inProcess: { seconds: 0.25, rounds: 20 }, overHttp: { seconds: 1, rounds: 4 } },
};
const WHOLE: typeof QUICK = {
  speed: { deliveries: 20_000, rounds: 5 },
  changes: 300,
  hanging: { deliveries: 2000, rounds: 5 },
  cost: { inProcess: { seconds: 0.25, rounds: 120 }, overHttp: { seconds: 1, rounds: 30 } },
};

/**
 * The cost and latency of webhooks: the built service with its embedded job engine, and the receiver, on one machine.
 */
export async function run(): Promise<Measurement[]> {
  const size = IS_QUICK ? QUICK : WHOLE;
  return withBenchmarkSetup(async (setup) => [
    ...(await measureSpeed(setup, size.speed)),
    ...(await measureLatency(setup, size.changes)),
    ...(await measureHanging(setup, size.hanging)),
    ...(await measureOutboxCost(setup.origin, setup.tenants, size.cost)),
  ]);
}

if (import.meta.main) {
  for (const { name, value, unit } of await run()) console.log(`${name}: ${value} ${unit}`.trim());
}
