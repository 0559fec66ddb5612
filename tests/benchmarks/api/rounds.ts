import type { LoadProcess } from "@/tests/benchmarks/api/load-process";
import { median, quantile } from "@/tests/benchmarks/api/percentiles";
import type { Route } from "@/tests/benchmarks/api/read-routes";
import type { Order, Round } from "@/tests/benchmarks/api/repeat";
import type { Measurement } from "@/tests/benchmarks/measurement";

interface Plan {
  origin: string;
  connections: number;
  /** Of one round of one route. */
  seconds: number;
  rounds: number;
}

/** How a route fared: the requests per second of every round, and the latencies of all rounds, in milliseconds. */
export interface Result {
  name: string;
  speeds: number[];
  latencies: number[];
}

/**
 * Measures routes in turn, round after round, so that whatever else the machine does meets all of them. Every other round goes backwards. One round
 * before them does not count: it compiles, connects and fills caches.
 */
export async function measureInTurn(generator: LoadProcess<Order, Round>, routes: readonly Route[], plan: Plan): Promise<Result[]> {
  const results = routes.map(({ name }): Result => ({ name, speeds: [], latencies: [] }));
  for (let round = 0; round <= plan.rounds; round += 1) {
    const order = round % 2 === 0 ? [...routes.keys()] : [...routes.keys()].toReversed();
    for (const index of order) {
      const { seconds, latencies } = await generator.run({ ...plan, requests: routes[index]?.requests ?? [] });
      if (round === 0) continue;
      results[index]?.speeds.push(latencies.length / seconds);
      results[index]?.latencies.push(...latencies);
    }
  }
  return results;
}

/** The median over the rounds of how a route fared against another one of the same round. */
export function ratio(route: Result, floor: Result): number {
  return median(route.speeds.map((speed, round) => speed / (floor.speeds[round] ?? Number.NaN)));
}

/** `factor`: how many records a request is about. */
export function describe({ name, speeds, latencies }: Result, unit = "requests/s", factor = 1): Measurement[] {
  const percentiles = [0.5, 0.95, 0.99].map((part) => quantile(latencies, part).toFixed(1));
  return [
    { name, value: Math.round(median(speeds) * factor), unit },
    { name: `${name}: p50, p95, p99`, value: percentiles.join(", "), unit: "ms" },
  ];
}
