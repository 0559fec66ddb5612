import {
  depthRoutes,
  filterRoute,
  FLOOR,
  frequentSearchRoute,
  getRoute,
  listRoute,
  PAGES,
  REFUSAL,
  scatteredRoute,
  searchRoute,
} from "@/tests/benchmarks/api/read-routes";
import { withOwnService } from "@/tests/benchmarks/api/own-service";
import { compareSpeeds, describe, measureInTurn, type Result } from "@/tests/benchmarks/api/rounds";
import { seedOpportunities } from "@/tests/benchmarks/api/seed-opportunities";
import { createTenants, type Tenant } from "@/tests/benchmarks/api/tenants";
import { BATCH, batchRoute, createRoute } from "@/tests/benchmarks/api/write-routes";
import type { Measurement } from "@/tests/benchmarks/measurement";

const TENANTS = 20;
const CONNECTIONS = 16;
const PAGE = 50;
const DEPTH = 10_000;

/** From this many on the ratios themselves count; with fewer their growth does, which needs less precision. */
const MANY_ROWS = 1_000_000;
const SHORT = { reads: { seconds: 2, rounds: 3 }, writes: { seconds: 2, rounds: 3 } };
const LONG: typeof SHORT = { reads: { seconds: 4, rounds: 5 }, writes: { seconds: 4, rounds: 3 } };

/** Of the trivial route's speed. It was set when Next's router found the routes of the records, too. */
const CREATE_GOAL = { atLeast: 0.5 };

/** The same for a client that walks through a list: it reads each page once, so that no page is cached. */
const WALK_GOAL = { atLeast: 0.6 };

/**
 * The largest organization has just over half of all records, enough for ten thousand full pages of a million. The
 * others share the rest equally.
 */
function sizesOf(rows: number): number[] {
  const large = Math.ceil(rows * 0.525);
  return [large, ...Array.from({ length: TENANTS - 1 }, () => Math.floor((rows - large) / (TENANTS - 1)))];
}

/** The built service's REST API over HTTP, with so many opportunities in 20 organizations and 16 connections. */
export async function run(rows: number): Promise<Measurement[]> {
  return withOwnService("npm run bench", async (service) => {
    const tenants = await createTenants(service, TENANTS);
    const sizes = sizesOf(rows);
    await seedOpportunities(tenants, sizes);
    const plan = { origin: service.baseUrl, connections: CONNECTIONS };
    const { reads, writes } = rows >= MANY_ROWS ? LONG : SHORT;
    return [
      ...(await measureReads(tenants, sizes[0] ?? 0, { ...plan, ...reads })),
      ...(await measureFrequentSearch(tenants[0] as Tenant, { ...plan, ...reads })),
      ...(await measureDepth(tenants[0] as Tenant, sizes[0] ?? 0, { ...plan, ...reads })),
      ...(await measureWrites(tenants, { ...plan, ...writes })),
    ];
  });
}

type Plan = Parameters<typeof measureInTurn>[1];

async function measureReads(tenants: readonly Tenant[], largest: number, plan: Plan): Promise<Measurement[]> {
  const routes = [
    listRoute(tenants),
    filterRoute(tenants),
    await scatteredRoute(tenants),
    await getRoute(tenants),
    searchRoute(tenants[0] as Tenant, largest),
  ];
  const results = await measureInTurn([FLOOR, REFUSAL, ...routes], plan);
  const [floor, refusal, list] = results as [Result, Result, Result];
  return [
    ...results.flatMap((result) => describe(result)),
    ...results.slice(1).map((result) => compareSpeeds(result, floor)),
    compareSpeeds({ ...list, name: `${list.name}, beside a refusal` }, refusal),
  ];
}

/** Alone: one such search occupies a core of the database for longer than all other requests of a round take. */
async function measureFrequentSearch(largest: Tenant, plan: Plan): Promise<Measurement[]> {
  const routes = [{ ...FLOOR, name: `${FLOOR.name}, one connection` }, frequentSearchRoute(largest)];
  const [floor, search] = (await measureInTurn(routes, { ...plan, connections: 1 })) as [Result, Result];
  return [...describe(floor), ...describe(search), compareSpeeds(search, floor)];
}

/** A client that walks through one organization's list, at its beginning and far down, if it is so long. */
async function measureDepth(largest: Tenant, rows: number, plan: Plan): Promise<Measurement[]> {
  const depth = Math.min(DEPTH, Math.floor(rows / PAGE) - PAGES / 2 - 10);
  if (depth < 1.5 * PAGES) return [];
  const { first, deep } = await depthRoutes(largest, depth);
  const results = (await measureInTurn([FLOOR, first, deep], plan)) as [Result, Result, Result];
  const [floor, firstPages, deepPages] = results;
  return [
    ...[firstPages, deepPages].flatMap((result) => describe(result)),
    compareSpeeds(firstPages, floor, { goal: WALK_GOAL }),
    compareSpeeds(deepPages, firstPages),
  ];
}

/** Batches last, and apart: they add more records than the smallest sizes have. */
async function measureWrites(tenants: readonly Tenant[], plan: Plan): Promise<Measurement[]> {
  const [create, batch] = [createRoute(tenants), batchRoute(tenants)];
  const [beside, created] = (await measureInTurn([FLOOR, create], plan)) as [Result, Result];
  const [floor, batched] = (await measureInTurn([FLOOR, batch], plan)) as [Result, Result];
  const unit = "records/s";
  return [
    ...describe(created, unit),
    ...describe(batched, unit, BATCH),
    compareSpeeds(created, beside, { unit, goal: CREATE_GOAL }),
    compareSpeeds(batched, floor, { unit, factor: BATCH }),
  ];
}
