import { decode, encode, type JWT } from "next-auth/jwt";

import { env } from "@/lib/env";
import { deriveKey, deriveKeys, isMac, mac } from "@/lib/security/crypto";
import { SESSION_SECONDS } from "@/lib/sessions/browser-sessions/session-store";
import { newId } from "@/lib/ids";

interface CookieOptions {
  /** "/" unless only one part of the service needs it. */
  path?: string;
  /** How long the browser keeps it. */
  seconds: number;
  sameSite?: "Lax" | "Strict";
}

/** Whether cookies are sent over TLS only: if the service is reached by https. */
const IS_SECURE = env.APP_URL.startsWith("https:");

/** A `Set-Cookie` value (RFC 6265 §4.1) of a cookie that no script can read. `value` must not need quoting. */
export function setCookie(
  name: string,
  value: string,
  { path = "/", seconds, sameSite = "Lax" }: CookieOptions,
): string {
  const secure = IS_SECURE ? "; Secure" : "";
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** A `Set-Cookie` value that deletes a cookie of the path "/". */
function clearCookie(name: string): string {
  return setCookie(name, "", { seconds: 0 });
}

/** `__Host-` binds the cookie to this host; browsers allow the prefix over https only. */
export const SESSION_COOKIE = IS_SECURE ? "__Host-crm-session" : "crm-session";

export const SESSION_COOKIE_OPTIONS = { httpOnly: true, sameSite: "lax", path: "/", secure: IS_SECURE } as const;

const SESSION_KEYS = "sessions";

/** The key for next-auth's tokens, as text. */
export function sessionSecret(): string {
  return textOf(deriveKey(SESSION_KEYS));
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

/**
 * How every token of next-auth begins: its header, and no encrypted key (RFC 7516 §7.1). next-auth itself lets a token
 * choose its algorithm, even one that hashes thousands of times to derive a key (PBES2).
 */
const TOKEN_START = `${Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString("base64url")}..`;

/** Decrypts a token of next-auth; null if it is none of ours. `salt`: the name of a cookie of a sign-in in progress. */
export async function openToken(token: string, secret: string, salt = ""): Promise<JWT | null> {
  return token.startsWith(TOKEN_START) ? decode({ token, secret, salt }).catch(() => null) : null;
}

/** The session id in a cookie's value, or null if the value is not one of ours. The session itself may have ended. */
export async function openSessionId(value: string): Promise<string | null> {
  for (const key of deriveKeys(SESSION_KEYS)) {
    const token = await openToken(value, textOf(key));
    if (token) return typeof token["sid"] === "string" ? token["sid"] : null;
  }
  return null;
}

/** A `Set-Cookie` value that deletes the session cookie. */
export function clearedSessionCookie(): string {
  return clearCookie(SESSION_COOKIE);
}

/** `__Secure-` instead of `__Host-`, since the cookie has the path of the sign-in alone. */
export const DEVICE_COOKIE = IS_SECURE ? "__Secure-crm-device" : "crm-device";

const DEVICE_MAC = "device-cookie";

const DEVICE_SECONDS = 365 * 24 * 3600;

/**
 * A `Set-Cookie` value that marks a browser as one in which a user has signed in, or has set the password by a one-time
 * link: an id, and a MAC of id and user. Not of the e-mail address, which may become another user's: an admin could
 * have made marks for it before. It signs nobody in; it only gives the browser separate attempts (OWASP, "Slow Down
 * Online Guessing Attacks with Device Cookies").
 */
export function deviceCookie(userId: string, presentMark: string | null): string {
  const id = knownDevice(presentMark, userId) ?? newId();
  return setCookie(DEVICE_COOKIE, `${id}.${mac(DEVICE_MAC, `${id}:${userId}`)}`, {
    path: "/api/auth",
    seconds: DEVICE_SECONDS,
    sameSite: "Strict",
  });
}

/** The id of the browser if `mark` proves that this user has signed in there, else null. */
export function knownDevice(mark: string | null, userId: string): string | null {
  const [id, code] = mark?.split(".", 2) ?? [];
  if (!id || !code) return null;
  return isMac(DEVICE_MAC, `${id}:${userId}`, code) ? id : null;
}

/** Enough time to enter a password and a second factor at the provider. */
const OIDC_SECONDS = 15 * 60;

/**
 * The browser returns from the provider by a navigation from another site: `Lax` sends these cookies then, `Strict`
 * would not.
 */
const oidcOptions = { ...SESSION_COOKIE_OPTIONS, maxAge: OIDC_SECONDS };

/** With `__Host-`, another host of the same domain cannot plant cookies of a sign-in that it has begun. */
function oidcCookie(name: string) {
  return { name: `${IS_SECURE ? "__Host-" : ""}crm-oidc-${name}`, options: oidcOptions };
}

/** The cookies of a sign-in that is at the provider. All are encrypted except `callbackUrl`, the page to return to. */
export const OIDC_COOKIES = {
  state: oidcCookie("state"),
  nonce: oidcCookie("nonce"),
  pkceCodeVerifier: oidcCookie("verifier"),
  callbackUrl: oidcCookie("next"),
};

/** `Set-Cookie` values that delete these cookies. */
export function clearedOidcCookies(): string[] {
  return Object.values(OIDC_COOKIES).map(({ name }) => clearCookie(name));
}
