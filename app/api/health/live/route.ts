import { allowOnly } from "@/lib/http/api/fallback-routes";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, OPTIONS");

/**
 * Says that the process answers: no authentication, no database. Benchmarks take it as the floor of what any route
 * costs.
 */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } });
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
