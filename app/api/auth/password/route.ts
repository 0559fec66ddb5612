import { handleJson } from "@/app/api/auth/handle-json";
import { AppError } from "@/lib/errors";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { clientAddress } from "@/lib/http/request";
import { assertShown, requestSession } from "@/lib/http/api/authenticate";
import { sealedSessionCookie } from "@/lib/sessions/browser-sessions/cookies";
import { changePassword } from "@/lib/sessions/passwords/change-password";

const { refuse, options } = allowOnly("POST, OPTIONS");

/**
 * Changes the password of the signed-in person: `current_password` and `new_password`. The browser gets a new cookie;
 * copies of the old one stop working.
 */
export function POST(request: Request): Promise<Response> {
  return handleJson(request, async (body) => {
    const session = await requestSession(request.headers);
    if (!session) throw new AppError("unauthenticated", "You are not signed in any more. Sign in, then try again.");
    assertShown(request.headers, session);
    const { sessionId, sessions_ended } = await changePassword(session, body, clientAddress(request.headers));
    return Response.json({ sessions_ended }, { headers: { "set-cookie": await sealedSessionCookie(sessionId) } });
  });
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
