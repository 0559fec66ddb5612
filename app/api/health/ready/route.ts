import { isReady } from "@/lib/database/readiness";
import { allowOnly } from "@/lib/http/api/fallback-routes";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, OPTIONS");

/**
 * Says whether the process can serve requests: 200 when the database answers over the pool that they use, 503 when it
 * does not. No authentication.
 */
export async function GET(): Promise<Response> {
  const ready = await isReady();
  return Response.json(
    { status: ready ? "ready" : "not ready" },
    { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
