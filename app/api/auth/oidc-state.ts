import { decode } from "next-auth/jwt";

import { readCookie } from "@/lib/http/request";
import { sessionSecret, OIDC_COOKIES } from "@/lib/sessions/browser-sessions/cookies";

/**
 * Whether a response of the provider belongs to a sign-in that this browser has begun (RFC 6749 §10.12). next-auth
 * checks this too, but only after it has trusted an `error`, and does not distinguish this failure from others.
 */
export async function isOwnState(request: Request, state: string | null): Promise<boolean> {
  const { name } = OIDC_COOKIES.state;
  const cookie = readCookie(request.headers, name);
  if (!cookie || !state) return false;
  const sealed = await decode({ token: cookie, secret: sessionSecret(), salt: name }).catch(() => null);
  return sealed?.["value"] === state;
}
