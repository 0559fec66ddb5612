import { env } from "@/lib/env";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { metricsResponse } from "@/lib/http/api/metrics-response";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, OPTIONS");

/** What this web process has counted, for Prometheus. */
export function GET(request: Request): Promise<Response> {
  return metricsResponse(request, { isAddressShared: env.WEB_PROCESSES > 1 });
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
