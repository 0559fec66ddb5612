import { decode, encode } from "next-auth/jwt";

import { deriveKey, deriveKeys } from "@/lib/security/crypto";
import { SESSION_SECONDS } from "@/lib/sessions/browser-sessions/session-store";
import { clearCookie, IS_SECURE, setCookie } from "@/lib/sessions/browser-sessions/set-cookie";

/** `__Host-` binds the cookie to this host; browsers allow the prefix over https only. */
export const SESSION_COOKIE = IS_SECURE ? "__Host-crm-session" : "crm-session";

export const SESSION_COOKIE_OPTIONS = { httpOnly: true, sameSite: "lax", path: "/", secure: IS_SECURE } as const;

const PURPOSE = "sessions";

/** The key for next-auth's tokens, as text. */
export function sessionSecret(): string {
  return textOf(deriveKey(PURPOSE));
}

function textOf(key: Buffer): string {
  return key.toString("base64url");
}

/** The cookie's value for a session: next-auth's encrypted token, which holds only the id. */
export function sealSessionId(sessionId: string): Promise<string> {
  return encode({ token: { sid: sessionId }, secret: sessionSecret(), maxAge: SESSION_SECONDS });
}

/** A `Set-Cookie` value that gives the browser this session. */
export async function sealedSessionCookie(sessionId: string): Promise<string> {
  return setCookie(SESSION_COOKIE, await sealSessionId(sessionId), { seconds: SESSION_SECONDS });
}

/** The session id in a cookie's value, or null if the value is not one of ours. The session itself may have ended. */
export async function openSessionId(value: string): Promise<string | null> {
  for (const key of deriveKeys(PURPOSE)) {
    const token = await decode({ token: value, secret: textOf(key) }).catch(() => null);
    if (token) return typeof token["sid"] === "string" ? token["sid"] : null;
  }
  return null;
}

/** A `Set-Cookie` value that deletes the session cookie. */
export function clearedSessionCookie(): string {
  return clearCookie(SESSION_COOKIE);
}
