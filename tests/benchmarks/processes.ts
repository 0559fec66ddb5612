import { availableParallelism } from "node:os";

import { median } from "@/tests/benchmarks/api/percentiles";
import { listRoute } from "@/tests/benchmarks/api/read-routes";
import { seedOpportunities } from "@/tests/benchmarks/api/seed-opportunities";
import { createTenants } from "@/tests/benchmarks/api/tenants";
import { withTwoOfEach } from "@/tests/benchmarks/api/two-of-each";
import { repeat } from "@/tests/benchmarks/api/wrk";
import { compare, type Measurement } from "@/tests/benchmarks/measurement";
import { machineTime } from "@/tests/benchmarks/processor-time";

const TENANTS = 10;
const RECORDS_EACH = 1000;
const CONNECTIONS = 16;
const SECONDS = 10;
const ROUNDS = 5;

/** What two web processes on two whole cores should answer, against one. */
const GOAL = 1.6;

/**
 * How many lists two web processes answer, against one of them: the same connections, in turn, so that other work of
 * the machine affects both. The cores allow no more than the time that one web process, its database and its clients
 * leave them idle.
 */
export async function run(): Promise<Measurement[]> {
  return withTwoOfEach(async (service) => {
    const tenants = await createTenants(service, TENANTS);
    await seedOpportunities(
      tenants,
      tenants.map(() => RECORDS_EACH),
    );
    const { name: _, ...list } = listRoute(tenants);
    const speedOf = async (origins: readonly string[]): Promise<{ speed: number; busy: number }> => {
      const connections = CONNECTIONS / origins.length;
      const before = machineTime();
      const each = await Promise.all(
        origins.map((origin) => repeat({ origin, connections, seconds: SECONDS, ...list })),
      );
      const after = machineTime();
      return {
        speed: each.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0),
        busy: (after.busy - before.busy) / (after.all - before.all),
      };
    };
    const [first = ""] = service.origins;
    // Compiles, connects and fills caches; not counted.
    await speedOf(service.origins);
    const rounds: { one: number; two: number; allowed: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const one = await speedOf([first]);
      const two = await speedOf(service.origins);
      rounds.push({ one: one.speed, two: two.speed, allowed: Math.min(2, 1 / one.busy) });
    }
    const allowed = median(rounds.map((round) => round.allowed));
    return [
      { name: "cores", value: availableParallelism(), unit: "" },
      { name: "two web processes / one, at most on these cores", value: Number(allowed.toFixed(2)), unit: "" },
      compare({
        what: "list of 50, two web processes",
        against: "one web process",
        floor: median(rounds.map(({ one }) => one)),
        ours: median(rounds.map(({ two }) => two)),
        ratio: median(rounds.map(({ one, two }) => two / one)),
        unit: "requests/s",
        goal: { atLeast: GOAL },
      }),
      {
        name: "two web processes / one, of what the cores allow",
        value: Number(median(rounds.map(({ one, two, allowed: most }) => two / one / most)).toFixed(2)),
        unit: "",
        goal: { atLeast: GOAL / 2 },
      },
    ];
  });
}
