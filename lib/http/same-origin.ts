import { env } from "@/lib/env";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a request that a browser's cookie speaks for was made by one of our own pages. Browsers set `Origin` and `Sec-Fetch-Site`, and no
 * page can change them. A request that changes something must carry one of the two; one that only reads must not be from elsewhere.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const isSafe = SAFE_METHODS.has(request.method);
  if (origin !== null && origin !== "null") return origin === env.APP_URL;
  if (site !== null) return site === "same-origin" || (isSafe && site === "none");
  return isSafe;
}
