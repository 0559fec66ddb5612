import { type NextRequest, NextResponse } from "next/server";

import { randomSecret } from "@/lib/crypto";
import { env } from "@/lib/env";
import { pagePolicy } from "@/lib/http/content-security-policy";
import { pendingRedirectOrigin } from "@/lib/oauth/pending-redirect-origin";

const POLICY = "content-security-policy";
/** Pages that take passwords and decisions. */
const PRIVATE_PAGES = new Set(["/sign-in", "/sign-out", "/setup", "/oauth/consent"]);

/**
 * Sets the policy of every page, which needs a nonce of its own each time. Next reads the nonce from the request's header and puts it on the
 * scripts that it writes; `x-nonce` is for those that we write. Forms lead to this origin only, from the consent page also back to the client
 * that asks: browsers apply `form-action` to the redirect that follows a form.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname, searchParams } = request.nextUrl;
  const target = pathname === "/oauth/consent" ? await pendingRedirectOrigin(searchParams.get("request") ?? "") : null;
  const nonce = randomSecret();
  const policy = pagePolicy({ nonce, development: env.NODE_ENV === "development", formTargets: target ? [target] : [] });
  const headers = new Headers(request.headers);
  headers.set(POLICY, policy);
  headers.set("x-nonce", nonce);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set(POLICY, policy);
  if (PRIVATE_PAGES.has(pathname)) response.headers.set("cache-control", "no-store");
  return response;
}

/** Pages as documents. Answers without scripts, and the data by which Next goes from page to page (`rsc`), do with the plain policy. */
export const config = {
  matcher: [
    {
      source:
        "/((?!api/|_next/|\\.well-known/|oauth/authorize$|oauth/token$|oauth/revoke$|oauth/consent/decision$|migration/callback$|icon\\.svg$).*)",
      missing: [{ type: "header", key: "rsc" }],
    },
  ],
};
