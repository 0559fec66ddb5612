import { decode, encode } from "next-auth/jwt";

import { deriveKey } from "@/lib/crypto";
import { clearCookie, IS_SECURE } from "@/lib/sessions/set-cookie";
import { SESSION_SECONDS } from "@/lib/sessions/start-session";

/** `__Host-` binds the cookie to this very host; browsers allow the prefix over https only. */
export const SESSION_COOKIE = IS_SECURE ? "__Host-crm-session" : "crm-session";

export const SESSION_COOKIE_OPTIONS = { httpOnly: true, sameSite: "lax", path: "/", secure: IS_SECURE } as const;

/** The key of next-auth's tokens, as text. */
export function sessionSecret(): string {
  return deriveKey("sessions").toString("base64url");
}

/** The cookie's value for a session: next-auth's encrypted token, which holds the id and nothing else. */
export function sealSessionId(sessionId: string): Promise<string> {
  return encode({ token: { sid: sessionId }, secret: sessionSecret(), maxAge: SESSION_SECONDS });
}

/** The session id in a cookie's value, or null when the value is not one of ours. It says nothing about the session being alive. */
export async function openSessionId(value: string): Promise<string | null> {
  try {
    const token = await decode({ token: value, secret: sessionSecret() });
    return typeof token?.["sid"] === "string" ? token["sid"] : null;
  } catch {
    return null;
  }
}

/** A `Set-Cookie` value that makes the browser forget its session. */
export function clearedSessionCookie(): string {
  return clearCookie(SESSION_COOKIE);
}
