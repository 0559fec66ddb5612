import { allowOnly } from "@/lib/http/api/fallback-routes";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, OPTIONS");

/**
 * Reports that the process answers: without authentication and database. Benchmarks use it as the minimal cost of a
 * route.
 */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } });
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
