import type { PlannedRequest } from "@/tests/benchmarks/api/exchange";
import type { Tenant } from "@/tests/benchmarks/api/tenants";

const LIST = "/api/v1/opportunities";
const PAGE = 50;
/** Pages read of one part of a list. */
export const PAGES = 500;

/** Requests of one kind, sent in turn; made before each round where none of them can be sent twice. */
export interface Route {
  name: string;
  requests: PlannedRequest[] | (() => Promise<PlannedRequest[]>);
  /** The status of each answer, if it is not any of success. */
  status?: number;
  /** What each answer contains. */
  contains?: string;
}

/** What every answer with an opportunity contains. */
export const A_RECORD = '"stage":';

/** What every list contains. The page after the last record is empty. */
const A_LIST = '{"data":[';

/**
 * The trivial route of the same server. Next's router finds it, unlike the routes that are measured against it since
 * docs/decisions/0073-handlers-without-the-router.md: they can be faster.
 */
export const FLOOR: Route = { name: "trivial route", requests: [{ method: "GET", path: "/api/health/live" }] };

/** A handler of the same kind as those of the records, which does nothing but refuse a method. */
export const REFUSAL: Route = {
  name: "refusal by a handler",
  status: 405,
  requests: [{ method: "GET", path: "/api/mcp" }],
};

/** The newest 50 records of each organization in turn: the most frequent list, which the process has cached. */
export function listRoute(tenants: readonly Tenant[]): Route & { requests: PlannedRequest[] } {
  const requests = tenants.map(({ token }) => ({ method: "GET" as const, path: LIST, token }));
  return { name: "list of 50", requests, contains: A_RECORD };
}

/** Pages from anywhere in all organizations: too many to be cached when each is requested again. */
export async function scatteredRoute(tenants: readonly Tenant[]): Promise<Route> {
  const records = await randomRecords(tenants);
  return {
    name: "list of 50 that nobody has read lately",
    contains: A_LIST,
    requests: records.map(({ id, token }) => ({ method: "GET", path: `${LIST}?cursor=${id}`, token })),
  };
}

export function filterRoute(tenants: readonly Tenant[]): Route {
  const path = `${LIST}?stage=negotiation`;
  return {
    name: "list of 50 with a filter (stage)",
    contains: A_RECORD,
    requests: tenants.map(({ token }) => ({ method: "GET", path, token })),
  };
}

/**
 * Searches of an organization with so many records, each for the number of one of them and a word of all. The upper
 * half is searched: no other number begins with one of these.
 */
export function searchRoute({ token }: Tenant, records: number): Route {
  const half = Math.ceil(records / 2);
  const words = Array.from({ length: PAGES }, (_, index) => `order ${half + ((index * 7919) % half)}`);
  return {
    name: "search that finds one",
    contains: A_RECORD,
    requests: words.map((q) => ({ method: "GET", path: `${LIST}?${new URLSearchParams({ q })}`, token })),
  };
}

/** A search that finds every record of an organization. */
export function frequentSearchRoute({ token }: Tenant): Route {
  const requests: PlannedRequest[] = [{ method: "GET", path: `${LIST}?q=pumps`, token }];
  return { name: "search that finds all, one connection", requests, contains: A_RECORD };
}

export async function getRoute(tenants: readonly Tenant[]): Promise<Route> {
  const records = await randomRecords(tenants);
  return {
    name: "get one",
    contains: A_RECORD,
    requests: records.map(({ id, token }) => ({ method: "GET", path: `${LIST}/${id}`, token })),
  };
}

/** Random records of all organizations. */
async function randomRecords(tenants: readonly Tenant[]): Promise<{ id: string; token: string }[]> {
  const { pool } = await import("@/tests/support/owner");
  const tokens = new Map(tenants.map(({ organizationId, token }) => [organizationId, token]));
  const { rows } = await pool().query<{ organization_id: string; id: string }>(
    "SELECT organization_id, id FROM opportunities ORDER BY md5(id::text) LIMIT 2000",
  );
  return rows.map(({ organization_id, id }) => ({ id, token: tokens.get(organization_id) ?? "" }));
}

/**
 * The same number of pages of one organization, from its second page on and around page `depth`, each by the cursor of
 * the previous page: too many to be cached when each is requested again.
 */
export async function depthRoutes(
  { organizationId, token }: Tenant,
  depth: number,
): Promise<{ first: Route; deep: Route }> {
  const { pool } = await import("@/tests/support/owner");
  const pagesFrom = async (page: number): Promise<Route> => {
    const { rows } = await pool().query<{ id: string }>(
      `SELECT id FROM (
         SELECT id, row_number() OVER (ORDER BY id DESC) AS n FROM opportunities WHERE organization_id = $1
       ) AS numbered
       WHERE n % ${PAGE} = 0 AND n / ${PAGE} BETWEEN $2 AND $3`,
      [organizationId, page - 1, page - 2 + PAGES],
    );
    const [from, to] = [page, page - 1 + PAGES].map((number) => number.toLocaleString("en"));
    const name = `pages ${from} to ${to} of the largest organization`;
    const requests = rows.map(({ id }) => ({ method: "GET" as const, path: `${LIST}?cursor=${id}`, token }));
    return { name, requests, contains: A_LIST };
  };
  return { first: await pagesFrom(2), deep: await pagesFrom(Math.max(2, depth - PAGES / 2)) };
}
