import {
  depthRoutes,
  filterRoute,
  FLOOR,
  getRoute,
  listRoute,
  scatteredRoute,
} from "@/tests/benchmarks/api/read-routes";
import { withOwnService } from "@/tests/benchmarks/api/own-service";
import { describe, measureInTurn, ratio, type Result } from "@/tests/benchmarks/api/rounds";
import { seedOpportunities } from "@/tests/benchmarks/api/seed-opportunities";
import { createTenants, type Tenant } from "@/tests/benchmarks/api/tenants";
import { BATCH, batchRoute, createRoute } from "@/tests/benchmarks/api/write-routes";
import type { Measurement } from "@/tests/benchmarks/measurement";

/** BENCH_ROWS: fewer rows for a quick run, whose figures mean little. */
const ROWS = Number(process.env.BENCH_ROWS || 1_000_000);
const IS_QUICK = Boolean(process.env.BENCH_ROWS);
const TENANTS = 20;
const CONNECTIONS = 16;
const READ_ROUNDS = IS_QUICK ? { seconds: 2, rounds: 3 } : { seconds: 4, rounds: 9 };
const WRITE_ROUNDS = { seconds: IS_QUICK ? 2 : 5, rounds: 3 };
const DEPTH = 10_000;
const PAGE = 50;

/**
 * The largest organization has just over half of all records, enough for ten thousand full pages. The others share the
 * rest equally.
 */
function sizesOf(rows: number): number[] {
  const large = Math.ceil(rows * 0.525);
  return [large, ...Array.from({ length: TENANTS - 1 }, () => Math.floor((rows - large) / (TENANTS - 1)))];
}

/** The built service's REST API over HTTP: 1,000,000 opportunities in 20 organizations, 16 connections. */
export async function run(): Promise<Measurement[]> {
  return withOwnService("npm run bench", async (service) => {
    const tenants = await createTenants(service, TENANTS);
    const sizes = sizesOf(ROWS);
    console.log(
      `  ${ROWS.toLocaleString("en")} opportunities, ${sizes[0]?.toLocaleString("en")} of them in one of ` +
        `${TENANTS} organizations …`,
    );
    await seedOpportunities(tenants, sizes);
    const plan = { origin: service.baseUrl, connections: CONNECTIONS };
    return [
      ...(await measureReads(tenants, { ...plan, ...READ_ROUNDS })),
      ...(await measureWrites(tenants, { ...plan, ...WRITE_ROUNDS })),
    ];
  });
}

type Plan = Parameters<typeof measureInTurn>[1];

async function measureReads(tenants: readonly Tenant[], plan: Plan): Promise<Measurement[]> {
  const [largest] = tenants;
  if (!largest) return [];
  const { first, deep } = await depthRoutes(largest, Math.min(DEPTH, Math.floor((sizesOf(ROWS)[0] ?? 0) / PAGE) - 260));
  const routes = [
    FLOOR,
    listRoute(tenants),
    filterRoute(tenants),
    await scatteredRoute(tenants),
    await getRoute(tenants),
    first,
    deep,
  ];
  const results = await measureInTurn(routes, plan);
  const [floor, list, filtered, scattered, getOne, firstPage, deepPage] = results as [
    Result,
    Result,
    Result,
    Result,
    Result,
    Result,
    Result,
  ];
  return [
    ...results.flatMap((result) => describe(result)),
    ...[list, filtered, scattered, getOne].map((result) => ratioOf(result, floor)),
    ratioOf(deepPage, firstPage),
  ];
}

async function measureWrites(tenants: readonly Tenant[], plan: Plan): Promise<Measurement[]> {
  const results = await measureInTurn([createRoute(tenants), batchRoute(tenants)], plan);
  const [created, batched] = results as [Result, Result];
  return [...describe(created, "records/s"), ...describe(batched, "records/s", BATCH)];
}

function ratioOf(result: Result, floor: Result): Measurement {
  return { name: `${result.name} / ${floor.name}`, value: Number(ratio(result, floor).toFixed(3)), unit: "" };
}
