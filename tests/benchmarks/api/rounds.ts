import { median } from "@/tests/benchmarks/api/percentiles";
import type { Route } from "@/tests/benchmarks/api/read-routes";
import { repeat, type Round } from "@/tests/benchmarks/api/wrk";
import type { Measurement } from "@/tests/benchmarks/measurement";

interface Plan {
  origin: string;
  connections: number;
  /** Of one round of one route; whole ones. */
  seconds: number;
  rounds: number;
}

/** How a route fared, round by round. */
export interface Result {
  name: string;
  rounds: Round[];
}

/**
 * Measures routes in turn, round after round, so that whatever else the machine does meets all of them. Every other
 * round goes backwards. One round before them does not count: it compiles, connects and fills caches.
 */
export async function measureInTurn(
  routes: readonly Route[],
  { origin, connections, seconds, rounds }: Plan,
): Promise<Result[]> {
  const results = routes.map(({ name }): Result => ({ name, rounds: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? [...routes.keys()] : [...routes.keys()].toReversed();
    for (const index of order) {
      const result = await repeat({ origin, connections, seconds, requests: routes[index]?.requests ?? [] });
      if (round > 0) results[index]?.rounds.push(result);
    }
  }
  return results;
}

/** Requests per second, the median over the rounds. */
export function speedOf({ rounds }: Result): number {
  return median(rounds.map(({ requestsPerSecond }) => requestsPerSecond));
}

/** The median over the rounds of how a route fared against another one of the same round. */
export function ratio(route: Result, floor: Result): number {
  return median(
    route.rounds.map(
      ({ requestsPerSecond }, round) => requestsPerSecond / (floor.rounds[round]?.requestsPerSecond ?? Number.NaN),
    ),
  );
}

/** `factor`: how many records a request is about. The percentiles are those of the rounds' median. */
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
