import { env } from "@/lib/env";

interface CookieOptions {
  /** "/" unless only one part of the service needs it. */
  path?: string;
  /** How long the browser keeps it. */
  seconds: number;
  sameSite?: "Lax" | "Strict";
}

/** Whether cookies go over TLS alone: wherever the service is reached so. */
export const IS_SECURE = env.APP_URL.startsWith("https:");

/**
 * A `Set-Cookie` value (RFC 6265 §4.1) of a cookie that no script can read. `value` holds nothing that would need
 * quoting.
 */
export function setCookie(
  name: string,
  value: string,
  { path = "/", seconds, sameSite = "Lax" }: CookieOptions,
): string {
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${IS_SECURE ? "; Secure" : ""}`;
}

/** A `Set-Cookie` value that makes the browser forget a cookie of the path "/". */
export function clearCookie(name: string): string {
  return setCookie(name, "", { seconds: 0 });
}
