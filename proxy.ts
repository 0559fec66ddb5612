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
 * Sets the policy of every page, which needs a nonce of its own each time. Next reads the nonce from the request's
 * header and puts it on the scripts that it writes; `x-nonce` is for those that we write.
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
 * Pages as documents. Answers without scripts, and the data by which Next goes from page to page (`rsc`), do with the
 * plain policy.
 */
export const config = {
  matcher: [
    {
      source:
        "/((?!api/|_next/|\\.well-known/|oauth/authorize$|oauth/token$|oauth/revoke$|oauth/consent/decision$|migration/callback$|icon\\.svg$).*)",
      missing: [{ type: "header", key: "rsc" }],
    },
  ],
};
