import { backToSignIn } from "@/app/api/auth/back-to-sign-in";
import { postToNextAuth, readSetCookie } from "@/app/api/auth/call-next-auth";
import { oidcError } from "@/app/api/auth/oidc-error";
import { OIDC_ID } from "@/app/api/auth/oidc-next-auth";
import { throttledError } from "@/app/api/auth/sign-in-error";
import { env } from "@/lib/env";
import { allowOnly, unknownPath } from "@/lib/http/api/fallback-routes";
import { handleForm } from "@/lib/http/pages/forms";
import { leaveOrigin, safePath } from "@/lib/http/pages/redirects";
import { clientAddress } from "@/lib/http/request";
import { OIDC_COOKIES } from "@/lib/sessions/browser-sessions/cookies";
import { countOidcStep, oidcProvider } from "@/lib/sessions/openid/provider";

const { refuse, options } = allowOnly("POST, OPTIONS");

const COOKIE_NAMES = new Set(Object.values(OIDC_COOKIES).map(({ name }) => name));

/**
 * The sign-in page's second form, with `next`, the path to return to. Leads to the OpenID provider. Works without
 * scripts.
 */
export function POST(request: Request): Promise<Response> {
  return handleForm(request, (form) => begin(request, safePath(form.get("next"))));
}

async function begin(request: Request, next: string): Promise<Response> {
  const provider = oidcProvider();
  if (!provider) return unknownPath(request);
  const wait = await countOidcStep(clientAddress(request.headers));
  if (wait > 0) return backToSignIn(throttledError(wait), next);
  const fields = { callbackUrl: `${env.APP_URL}${next}` };
  const answer = await postToNextAuth(request.headers, ["signin", OIDC_ID], fields);
  const target = answer.headers.get("location") ?? "";
  const cookies = answer.headers.getSetCookie().filter((cookie) => COOKIE_NAMES.has(readSetCookie(cookie)[0]));
  // next-auth redirects to one of its own pages if the provider does not answer.
  if (!URL.canParse(target) || target.startsWith(`${env.APP_URL}/`))
    return backToSignIn(oidcError("unreachable"), next);
  return leaveOrigin(request, { location: target, name: provider.name }, cookies);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
