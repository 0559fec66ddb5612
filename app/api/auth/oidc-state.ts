import { decode } from "next-auth/jwt";

import { readCookie } from "@/lib/http/request";
import { sessionSecret } from "@/lib/sessions/browser-sessions/session-cookie";
import { OIDC_COOKIES } from "@/lib/sessions/openid/cookies";

/**
 * Whether an answer of the provider belongs to a sign-in that this very browser has begun (RFC 6749 §10.12). next-auth
 * looks too, but only after it has believed an `error`, and does not tell this failure from others.
 */
export async function isOwnState(request: Request, state: string | null): Promise<boolean> {
  const { name } = OIDC_COOKIES.state;
  const cookie = readCookie(request.headers, name);
  if (!cookie || !state) return false;
  const kept = await decode({ token: cookie, secret: sessionSecret(), salt: name }).catch(() => null);
  return kept?.["value"] === state;
}
