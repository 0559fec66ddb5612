import { clientAddress } from "@/lib/http/client-address";
import { readCookie } from "@/lib/http/read-cookie";
import { findSession, type Session } from "@/lib/sessions/find-session";
import { openSessionId, SESSION_COOKIE } from "@/lib/sessions/session-cookie";

/** The live session that a request's cookie names, or null. */
export async function requestSession(request: Request): Promise<Session | null> {
  const cookie = readCookie(request.headers, SESSION_COOKIE);
  const id = cookie && (await openSessionId(cookie));
  return id ? findSession(id, clientAddress(request.headers)) : null;
}
