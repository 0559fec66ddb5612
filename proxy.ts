import { type NextRequest, NextResponse } from "next/server";

import { env } from "@/lib/env";
import { pagePolicy } from "@/lib/http/pages/content-security-policy";
import { randomSecret } from "@/lib/security/crypto";

const POLICY = "content-security-policy";
/** Pages that take passwords and decisions. */
const PRIVATE_PAGES = new Set([
  "/sign-in",
  "/sign-out",
  "/setup",
  "/set-password",
  "/settings/account",
  "/oauth/consent",
]);

/**
 * Sets the policy of every page, with a new nonce each time. Next reads the nonce from the request's header and adds it
 * to the scripts that it writes; `x-nonce` is for our own scripts.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = randomSecret();
  const policy = pagePolicy({ nonce, development: env.NODE_ENV === "development" });
  const headers = new Headers(request.headers);
  headers.set(POLICY, policy);
  headers.set("x-nonce", nonce);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set(POLICY, policy);
  if (PRIVATE_PAGES.has(request.nextUrl.pathname)) response.headers.set("cache-control", "no-store");
  return response;
}

/**
 * Matches pages as documents. Responses without scripts, and the data by which Next navigates between pages (`rsc`),
 * keep the plain policy. Next keeps the body of what matches in memory, so that no handler may that reads one.
 */
export const config = {
  matcher: [
    {
      source:
        "/((?!(?:api|\\.well-known)(?:/|$)|_next/|oauth(?:$|/(?!consent$))|migration/callback$|(?:icon|apple-icon\\.png|manifest\\.webmanifest)$).*)",
      missing: [{ type: "header", key: "rsc" }],
    },
  ],
};
