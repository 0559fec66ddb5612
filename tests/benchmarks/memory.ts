import { setTimeout as delay } from "node:timers/promises";

import { findOrOpenDatabase } from "@/scripts/service/find-database";
import { readAppSecrets, readSettings } from "@/scripts/service/settings";
import { listRoute, scatteredRoute } from "@/tests/benchmarks/api/read-routes";
import { measureInTurn } from "@/tests/benchmarks/api/rounds";
import { seedOpportunities } from "@/tests/benchmarks/api/seed-opportunities";
import { createTenants, type Tenant } from "@/tests/benchmarks/api/tenants";
import { compare, type Limit, type Measurement } from "@/tests/benchmarks/measurement";
import { workADay } from "@/tests/benchmarks/days-work";
import { npmStart, startEmptyServer, withDataFolder } from "@/tests/benchmarks/npm-start";
import { memoryOf, memoryTogether } from "@/tests/benchmarks/process-memory";

const TENANTS = 20;
const ROWS_EACH = 1000;
const LOAD = { connections: 16, seconds: 10, rounds: 2 };

/** After a start, garbage of the start is collected and idle connections end. */
const REST_MS = 15_000;

/** After a day's work, what was cached for the next requests expires as well. */
const LONG_REST_MS = 150_000;

/** Uses the database of the running service in this process, too. */
async function shareDatabase(dataDir: string, baseUrl: string): Promise<void> {
  Object.assign(process.env, { DATA_DIR: dataDir, APP_URL: baseUrl, DATABASE_URL: "", LOG_LEVEL: "error" });
  const { url, ownerUrl } = await findOrOpenDatabase(readSettings(), "npm run bench");
  Object.assign(process.env, {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    ...(await readAppSecrets(dataDir)),
  });
}

/** Organizations with records and tokens. */
async function seed(baseUrl: string): Promise<Tenant[]> {
  const tenants = await createTenants({ baseUrl }, TENANTS);
  await seedOpportunities(
    tenants,
    tenants.map(() => ROWS_EACH),
  );
  return tenants;
}

async function loadLists(origin: string, tenants: readonly Tenant[]): Promise<void> {
  await measureInTurn([listRoute(tenants), await scatteredRoute(tenants)], { origin, ...LOAD });
}

async function closeConnections(): Promise<void> {
  const { closeDatabase } = await import("@/lib/database/db");
  const { closeOwner } = await import("@/tests/support/owner");
  await Promise.all([closeDatabase(), closeOwner()]);
}

/** What all three processes should keep to at rest, and web under lists, in megabytes. */
const GOALS = { together: { atMost: 300 }, web: { atMost: 400 } };

/**
 * Resident memory of the three processes of `npm start`: at rest, under a minute of lists, afterwards, and after a
 * migration and all pages.
 */
export async function run(): Promise<Measurement[]> {
  return withDataFolder(async (dataDir) => {
    await using empty = await startEmptyServer();
    await using service = await npmStart(dataDir);
    await delay(REST_MS);
    const floor = await memoryOf(empty.pid, "VmRSS");
    const besideFloor = (what: string, megabytes: number, goal?: Limit): Measurement[] => [
      { name: what, value: Math.round(megabytes), unit: "MB", ...(goal && { goal }) },
      compare({ what: `memory: ${what}`, against: "empty Node server", floor, ours: megabytes, unit: "MB" }),
    ];
    const together = async (what: string): Promise<Measurement> => ({
      name: `${what}, what they share counted once`,
      value: Math.round(await memoryTogether(Object.values(service.pids))),
      unit: "MB",
      goal: GOALS.together,
    });
    const measurements: Measurement[] = [{ name: "floor: empty Node server", value: Math.round(floor), unit: "MB" }];
    for (const [name, pid] of Object.entries(service.pids))
      measurements.push(...besideFloor(`${name} at rest`, await memoryOf(pid, "VmRSS")));
    measurements.push(await together("all three at rest"));
    const { web, worker } = service.pids;
    const atRestAfter = async (work: string, restMs: number): Promise<void> => {
      await delay(restMs);
      measurements.push(
        ...besideFloor(`web at rest after ${work}`, await memoryOf(web, "VmRSS")),
        ...besideFloor(`worker at rest after ${work}`, await memoryOf(worker, "VmRSS")),
        await together(`all three at rest after ${work}`),
      );
    };
    try {
      await shareDatabase(dataDir, service.baseUrl);
      await loadLists(service.baseUrl, await seed(service.baseUrl));
      measurements.push(...besideFloor("web, highest under lists", await memoryOf(web, "VmHWM"), GOALS.web));
      await atRestAfter("lists", REST_MS);
      await workADay({ dataDir, baseUrl: service.baseUrl });
      await atRestAfter("a day's work", LONG_REST_MS);
    } finally {
      await closeConnections();
    }
    return measurements;
  });
}
