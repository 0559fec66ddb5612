import { allowOnly } from "@/lib/http/api/fallback-routes";
import { crossOriginForm } from "@/lib/http/pages/forms";
import { seeOther } from "@/lib/http/pages/redirects";
import { clientAddress, isSameOrigin } from "@/lib/http/request";
import { requestSession } from "@/lib/http/api/authenticate";
import { clearedSessionCookie } from "@/lib/sessions/browser-sessions/cookies";
import { endSession } from "@/lib/sessions/browser-sessions/session-store";

const { refuse, options } = allowOnly("POST, OPTIONS");

/** Ends the session on the server before deleting the cookie, so that a copy of it stops working. */
export async function POST(request: Request): Promise<Response> {
  if (!isSameOrigin(request)) return crossOriginForm();
  const session = await requestSession(request.headers);
  if (session) await endSession(session.id, clientAddress(request.headers));
  return seeOther("/sign-in", [clearedSessionCookie()]);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
