import { availableParallelism } from "node:os";

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

/**
 * How many lists two web processes answer, against one of them: the same connections, in turn, so that other work of
 * the machine affects both. Each process needs a core of its own beside those of PostgreSQL and the load.
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
    const rounds: { one: number; two: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({ one: await speedOf([first]), two: await speedOf(service.origins) });
    return [
      { name: "cores", value: availableParallelism(), unit: "" },
      compare({
        what: "list of 50, two web processes",
        against: "one web process",
        floor: median(rounds.map(({ one }) => one)),
        ours: median(rounds.map(({ two }) => two)),
        ratio: median(rounds.map(({ one, two }) => two / one)),
        unit: "requests/s",
        goal: { atLeast: 1.6 },
      }),
    ];
  });
}
