import type { Measurement } from "@/tests/benchmarks/measurement";
import { seedDelivered } from "@/tests/benchmarks/webhooks/backlog";
import { withBenchmarkSetup } from "@/tests/benchmarks/webhooks/setup";
import { measureHanging } from "@/tests/benchmarks/webhooks/hanging";
import { measureLatency } from "@/tests/benchmarks/webhooks/latency";
import { measureOutboxCost } from "@/tests/benchmarks/webhooks/outbox-cost";
import { measureSpeed } from "@/tests/benchmarks/webhooks/speed";

/** Where latency, a hanging endpoint and the cost of the outbox are measured as well: growth shows in the speed. */
const WHOLE = 1_000_000;

/**
 * The cost and latency of webhooks: the built service with its embedded job engine, and the receiver, on one machine.
 * `delivered`: how many deliveries the organization has in its history.
 */
export async function run(delivered: number): Promise<Measurement[]> {
  const isWhole = delivered >= WHOLE;
  return withBenchmarkSetup(async (setup) => {
    await seedDelivered(setup.context, delivered);
    const speed = await measureSpeed(setup, { deliveries: 20_000, rounds: isWhole ? 5 : 3 });
    if (!isWhole) return speed;
    return [
      ...speed,
      ...(await measureLatency(setup, 300)),
      ...(await measureHanging(setup, { deliveries: 2000, rounds: 5 })),
      ...(await measureOutboxCost(setup.origin, setup.tenants, {
        inProcess: { seconds: 0.25, rounds: 120 },
        overHttp: { seconds: 1, rounds: 30 },
      })),
    ];
  });
}

if (import.meta.main) {
  for (const { name, value, unit } of await run(WHOLE)) console.log(`${name}: ${value} ${unit}`.trim());
}
