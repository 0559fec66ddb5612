import { allowOnly } from "@/lib/http/api/fallback-routes";
import { checkReadiness } from "@/lib/observability/readiness";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, OPTIONS");

/**
 * Reports whether the process should get requests: 200, else 503 with the reasons. No authentication, so it tells
 * nothing of an organization.
 */
export async function GET(): Promise<Response> {
  const readiness = await checkReadiness();
  const status = readiness.status === "ready" ? 200 : 503;
  return Response.json(readiness, { status, headers: { "cache-control": "no-store" } });
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
