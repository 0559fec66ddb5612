import { clientAddress, readCookie } from "@/lib/http/request";
import { browserName, findSession, type Session, type Visit } from "@/lib/sessions/browser-sessions/session-store";
import { openSessionId, SESSION_COOKIE } from "@/lib/sessions/browser-sessions/cookies";

/** The live session that a request's cookie names, or null. */
export async function requestSession(headers: Headers): Promise<Session | null> {
  const cookie = readCookie(headers, SESSION_COOKIE);
  const id = cookie && (await openSessionId(cookie));
  return id ? findSession(id, clientAddress(headers)) : null;
}

/** Where a request comes from, in the form in which sessions store it. */
export function visitOf(headers: Headers): Visit {
  return { address: clientAddress(headers), browser: browserName(headers.get("user-agent")) };
}
