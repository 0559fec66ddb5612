import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";

import { GET as authorizationServer } from "@/app/.well-known/oauth-authorization-server/route";
import { GET as protectedResource } from "@/app/.well-known/oauth-protected-resource/[[...path]]/route";
import { POST as changePassword } from "@/app/api/auth/password/route";
import { POST as lookAtLink, PUT as useLink } from "@/app/api/auth/password-link/route";
import { POST as setup } from "@/app/api/auth/setup/route";
import { POST as signIn } from "@/app/api/auth/sign-in/route";
import { POST as signOut } from "@/app/api/auth/sign-out/route";
import { GET as authorize } from "@/app/oauth/authorize/route";
import { POST as decision } from "@/app/oauth/consent/decision/route";
import { POST as revoke } from "@/app/oauth/revoke/route";
import { POST as token } from "@/app/oauth/token/route";
import { ConsentForm } from "@/components/account/consent-form";
import { authenticate, requestSession } from "@/lib/http/api/authenticate";
import { problemResponse } from "@/lib/http/problem";
import { newId } from "@/lib/ids";
import { consentToken } from "@/lib/oauth/authorization/consent";
import { findPendingRequest } from "@/lib/oauth/authorization/pending-requests";
import { describeScopes } from "@/lib/oauth/scopes";

type Handler = (request: Request) => Response | Promise<Response>;

/** The consent page's form, rendered as the page does; the page itself needs Next around it. */
async function consentPage(request: Request): Promise<Response> {
  const requestId = new URL(request.url).searchParams.get("request") ?? "";
  const session = await requestSession(request.headers);
  const pending = session && (await findPendingRequest(requestId, session.id));
  if (!pending) return new Response("nothing to decide");
  const page = (
    <MantineProvider>
      <ConsentForm
        requestId={requestId}
        token={consentToken(session.id, requestId)}
        clientName={pending.clientName}
        redirectHost={new URL(pending.redirectUri).host}
        permissions={describeScopes(pending.scopes, pending.role)}
        scopes={pending.scopes}
        person={{ email: session.user_email, organization: pending.organizationName }}
      />
    </MantineProvider>
  );
  return new Response(renderToStaticMarkup(page), { headers: { "content-type": "text/html" } });
}

/** An example endpoint of the API: returns whom the request was authenticated as. */
async function whoAmI(request: Request): Promise<Response> {
  try {
    const context = await authenticate(request, newId());
    return Response.json({ ...context, scopes: [...context.scopes] });
  } catch (error) {
    return problemResponse(error, newId());
  }
}

const ROUTES: Record<string, Handler> = {
  "GET /.well-known/oauth-authorization-server": authorizationServer,
  "GET /oauth/authorize": authorize,
  "GET /oauth/consent": consentPage,
  "POST /oauth/consent/decision": decision,
  "POST /oauth/token": token,
  "POST /oauth/revoke": revoke,
  "POST /api/auth/sign-in": signIn,
  "POST /api/auth/sign-out": signOut,
  "POST /api/auth/setup": setup,
  "POST /api/auth/password": changePassword,
  "POST /api/auth/password-link": lookAtLink,
  "PUT /api/auth/password-link": useLink,
};

function find(method: string, pathname: string): Handler {
  const exact = ROUTES[`${method} ${pathname}`];
  if (exact) return exact;
  const [, wellKnown] = /^\/\.well-known\/oauth-protected-resource(.*)$/.exec(pathname) ?? [];
  if (wellKnown !== undefined) {
    const params = Promise.resolve({ path: wellKnown.split("/").filter(Boolean) });
    return (request) => protectedResource(request, { params });
  }
  if (pathname.startsWith("/api/")) return whoAmI;
  return () => new Response(null, { status: 404 });
}

/** Answers requests with the route handlers of `app/`, in this process. Has the shape of `fetch`. */
export const send: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  return find(request.method, new URL(request.url).pathname)(request);
};
