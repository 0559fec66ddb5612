import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { unknownPath } from "@/lib/http/api/fallback-routes";
import { problemResponse } from "@/lib/http/problem";
import { requestIdOf } from "@/lib/http/request";
import { metrics } from "@/lib/observability/instruments";
import { digestsEqual, sha256 } from "@/lib/security/crypto";

/**
 * Answers a scraper: what this process has counted, in the text format of Prometheus. Without METRICS_TOKEN there is
 * nothing at this address. At an address that several processes share it refuses: each scrape would find another one.
 */
export async function metricsResponse(request: Request, { isAddressShared = false } = {}): Promise<Response> {
  const counted = metrics();
  if (!env.METRICS_TOKEN || !counted) return unknownPath(request);
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  // Digests have one length, so the comparison takes the same time for every token.
  if (!digestsEqual(sha256(token), sha256(env.METRICS_TOKEN))) {
    const error = new AppError("unauthenticated", "Send the METRICS_TOKEN of this service as the bearer token.");
    return problemResponse(error, requestIdOf(request), { "www-authenticate": "Bearer" });
  }
  if (isAddressShared) return problemResponse(sharedAddress(), requestIdOf(request));
  const { registry } = counted;
  const headers = { "content-type": registry.contentType, "cache-control": "no-store" };
  return new Response(await registry.metrics(), { headers });
}

function sharedAddress(): AppError {
  return new AppError(
    "illegal_state",
    `${env.WEB_PROCESSES} web processes answer at this address, each with its own counts. Set METRICS_PORT, and ask ` +
      "each process at its own port: docs/observability.md, “Metrics”.",
  );
}
