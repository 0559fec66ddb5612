import { isReady } from "@/lib/database/readiness";
import { allowOnly } from "@/lib/http/api/fallback-routes";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, OPTIONS");

/**
 * Reports whether the process can serve requests: 200 if the database answers over the pool that requests use, else
 * 503. No authentication.
 */
export async function GET(): Promise<Response> {
  const ready = await isReady();
  return Response.json(
    { status: ready ? "ready" : "not ready" },
    { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
