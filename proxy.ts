import { type NextRequest, NextResponse } from "next/server";

import { env } from "@/lib/env";
import { contentSecurityPolicy } from "@/lib/http/content-security-policy";
import { pendingRedirectOrigin } from "@/lib/oauth/pending-redirect-origin";

/**
 * Headers of the pages that take passwords and decisions, which differ from those of other pages and which a page cannot set itself:
 * forms lead to this origin only, from the consent page also back to the client that asks (browsers apply `form-action` to the redirect
 * that follows a form).
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const isConsent = request.nextUrl.pathname === "/oauth/consent";
  const target = isConsent ? await pendingRedirectOrigin(request.nextUrl.searchParams.get("request") ?? "") : null;
  const response = NextResponse.next();
  const development = env.NODE_ENV === "development";
  response.headers.set("content-security-policy", contentSecurityPolicy({ development, formTargets: target ? [target] : [] }));
  response.headers.set("x-frame-options", "DENY");
  response.headers.set("referrer-policy", "same-origin");
  response.headers.set("cache-control", "no-store");
  return response;
}

export const config = { matcher: ["/sign-in", "/sign-out", "/setup", "/oauth/consent"] };
