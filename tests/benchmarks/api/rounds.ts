import { median } from "@/tests/benchmarks/api/percentiles";
import type { Route } from "@/tests/benchmarks/api/read-routes";
import { repeat, type Round } from "@/tests/benchmarks/api/wrk";
import { compare, type Limit, type Measurement } from "@/tests/benchmarks/measurement";

interface Plan {
  origin: string;
  connections: number;
  /** Length of one round of one route, a whole number. */
  seconds: number;
  rounds: number;
}

/** The figures of a route by round. */
export interface Result {
  name: string;
  rounds: Round[];
}

/**
 * Measures routes in turn, round after round, so that other work of the machine affects all of them. Every other round
 * is in reverse order. A first round, which compiles, connects and fills caches, is not counted.
 */
export async function measureInTurn(
  routes: readonly Route[],
  { origin, connections, seconds, rounds }: Plan,
): Promise<Result[]> {
  const results = routes.map(({ name }): Result => ({ name, rounds: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? [...routes.keys()] : [...routes.keys()].toReversed();
    for (const index of order) {
      const { name: _, requests, ...expected } = routes[index] as Route;
      const planned = typeof requests === "function" ? await requests() : requests;
      const result = await repeat({ origin, connections, seconds, requests: planned, ...expected });
      if (round > 0) results[index]?.rounds.push(result);
    }
  }
  return results;
}

/** Requests per second: the median over the rounds. */
export function speedOf({ rounds }: Result): number {
  return median(rounds.map(({ requestsPerSecond }) => requestsPerSecond));
}

/** A route beside the floor of the same rounds. `factor`: records per request. */
export function compareSpeeds(
  route: Result,
  floor: Result,
  { factor = 1, unit = "requests/s", goal }: { factor?: number; unit?: string; goal?: Limit } = {},
): Measurement {
  return compare({
    what: route.name,
    against: floor.name,
    floor: speedOf(floor),
    ours: speedOf(route) * factor,
    unit,
    ratio: ratio(route, floor) * factor,
    ...(goal && { goal }),
  });
}

/** A route's speed divided by that of another route in the same round: the median over the rounds. */
export function ratio(route: Result, floor: Result): number {
  return median(
    route.rounds.map(
      ({ requestsPerSecond }, round) => requestsPerSecond / (floor.rounds[round]?.requestsPerSecond ?? Number.NaN),
    ),
  );
}

/** `factor`: records per request. Each percentile is the median over the rounds. */
export function describe(result: Result, unit = "requests/s", factor = 1): Measurement[] {
  const { name, rounds } = result;
  const percentiles = (["p50", "p95", "p99"] as const).map((key) =>
    median(rounds.map((round) => round[key])).toFixed(1),
  );
  return [
    { name, value: Math.round(speedOf(result) * factor), unit },
    { name: `${name}: p50, p95, p99`, value: percentiles.join(", "), unit: "ms" },
  ];
}
