import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

import { median } from "@/tests/benchmarks/api/percentiles";
import { listRoute } from "@/tests/benchmarks/api/read-routes";
import { seedOpportunities } from "@/tests/benchmarks/api/seed-opportunities";
import { createTenants } from "@/tests/benchmarks/api/tenants";
import { withTwoOfEach } from "@/tests/benchmarks/api/two-of-each";
import { repeat } from "@/tests/benchmarks/api/wrk";
import { compare, type Measurement } from "@/tests/benchmarks/measurement";

const TENANTS = 10;
const RECORDS_EACH = 1000;
const CONNECTIONS = 16;
const SECONDS = 10;
const ROUNDS = 5;

/** What two web processes on two whole cores should answer, against one. */
const GOAL = 1.6;

/** Counts in a process that does nothing else, and prints how far it came in three seconds. */
const COUNT = `
  const end = performance.now() + 3000;
  let turns = 0;
  while (performance.now() < end) for (let sum = 0; sum < 10000; sum += 1) turns += 1;
  console.log(turns);
`;

async function count(): Promise<number> {
  return Number((await promisify(execFile)(process.execPath, ["--eval", COUNT])).stdout);
}

/** How much more two processes compute than one: 2 on two whole cores, less where they share one or others use it. */
async function whatCoresAllow(): Promise<number> {
  const one = await count();
  const [first, second] = await Promise.all([count(), count()]);
  return (first + second) / one;
}

/**
 * How many lists two web processes answer, against one of them: the same connections, in turn, so that other work of
 * the machine affects both, and beside what two processes compute that only count: without two whole cores, no two
 * processes are faster than one.
 */
export async function run(): Promise<Measurement[]> {
  return withTwoOfEach(async (service) => {
    const tenants = await createTenants(service, TENANTS);
    await seedOpportunities(
      tenants,
      tenants.map(() => RECORDS_EACH),
    );
    const { requests } = listRoute(tenants);
    const speedOf = async (origins: readonly string[]): Promise<number> => {
      const connections = CONNECTIONS / origins.length;
      const each = await Promise.all(
        origins.map((origin) => repeat({ origin, connections, seconds: SECONDS, requests })),
      );
      return each.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
    };
    const [first = ""] = service.origins;
    // Compiles, connects and fills caches; not counted.
    await speedOf(service.origins);
    const rounds: { one: number; two: number; allowed: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({
        one: await speedOf([first]),
        two: await speedOf(service.origins),
        allowed: await whatCoresAllow(),
      });
    const allowed = median(rounds.map((round) => round.allowed));
    return [
      { name: "cores", value: availableParallelism(), unit: "" },
      { name: "two processes that only count / one", value: Number(allowed.toFixed(2)), unit: "" },
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
