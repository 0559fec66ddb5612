import { env } from "@/lib/env";

interface CookieOptions {
  /** "/" unless only one part of the service needs it. */
  path?: string;
  /** How long the browser keeps it. */
  seconds: number;
  sameSite?: "Lax" | "Strict";
}

/** Whether cookies are sent over TLS only: if the service is reached by https. */
export const IS_SECURE = env.APP_URL.startsWith("https:");

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
export function clearCookie(name: string): string {
  return setCookie(name, "", { seconds: 0 });
}
