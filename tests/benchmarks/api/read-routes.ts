import type { PlannedRequest } from "@/tests/benchmarks/api/exchange";
import type { Tenant } from "@/tests/benchmarks/api/tenants";

const LIST = "/api/v1/opportunities";
const PAGE = 50;
/** Pages read of one part of a list. */
const PAGES = 500;

/** Requests of one kind, sent in turn. */
export interface Route {
  name: string;
  requests: PlannedRequest[];
}

/** The trivial route of the same server. */
export const FLOOR: Route = { name: "trivial route", requests: [{ method: "GET", path: "/api/health/live" }] };

/** The newest 50 records of each organization in turn: the most frequent list, which the process has cached. */
export function listRoute(tenants: readonly Tenant[]): Route {
  return { name: "list of 50", requests: tenants.map(({ token }) => ({ method: "GET", path: LIST, token })) };
}

/** Pages from anywhere in all organizations: too many to be cached when each is requested again. */
export async function scatteredRoute(tenants: readonly Tenant[]): Promise<Route> {
  const records = await getRoute(tenants);
  return {
    name: "list of 50 that nobody has read lately",
    requests: records.requests.map((request) => ({ ...request, path: asCursor(request.path) })),
  };
}

function asCursor(path: string): string {
  return `${LIST}?cursor=${path.slice(LIST.length + 1)}`;
}

export function filterRoute(tenants: readonly Tenant[]): Route {
  const path = `${LIST}?stage=negotiation`;
  return {
    name: "list of 50 with a filter (stage)",
    requests: tenants.map(({ token }) => ({ method: "GET", path, token })),
  };
}

/** Random records of all organizations. */
export async function getRoute(tenants: readonly Tenant[]): Promise<Route> {
  const { pool } = await import("@/tests/support/owner");
  const tokens = new Map(tenants.map(({ organizationId, token }) => [organizationId, token]));
  const { rows } = await pool().query<{ organization_id: string; id: string }>(
    "SELECT organization_id, id FROM opportunities ORDER BY md5(id::text) LIMIT 2000",
  );
  const requests = rows.map(({ organization_id, id }) => ({
    method: "GET" as const,
    path: `${LIST}/${id}`,
    token: tokens.get(organization_id) ?? "",
  }));
  return { name: "get one", requests };
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
    return { name, requests: rows.map(({ id }) => ({ method: "GET", path: `${LIST}?cursor=${id}`, token })) };
  };
  return { first: await pagesFrom(2), deep: await pagesFrom(Math.max(2, depth - PAGES / 2)) };
}
