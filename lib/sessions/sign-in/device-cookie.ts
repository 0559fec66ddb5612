import { newId } from "@/lib/ids";
import { isMac, mac } from "@/lib/security/crypto";
import { IS_SECURE, setCookie } from "@/lib/sessions/browser-sessions/set-cookie";
import { normalizeEmail } from "@/lib/sessions/people/person";

/** `__Secure-` instead of `__Host-`, since the cookie has the path of the sign-in alone. */
export const DEVICE_COOKIE = IS_SECURE ? "__Secure-crm-device" : "crm-device";

const PURPOSE = "device-cookie";

const MAX_AGE_SECONDS = 365 * 24 * 3600;

/**
 * A `Set-Cookie` value that marks a browser as one in which `email` has signed in: an id, and a MAC of id and e-mail.
 * It signs nobody in; it only gives the browser separate attempts (OWASP, "Slow Down Online Guessing Attacks with
 * Device Cookies").
 */
export function deviceCookie(email: string, presentMark: string | null): string {
  const subject = normalizeEmail(email);
  const id = knownDevice(presentMark, subject) ?? newId();
  return setCookie(DEVICE_COOKIE, `${id}.${mac(PURPOSE, `${id}:${subject}`)}`, {
    path: "/api/auth",
    seconds: MAX_AGE_SECONDS,
    sameSite: "Strict",
  });
}

/** The id of the browser if `mark` proves that this e-mail has signed in there, else null. */
export function knownDevice(mark: string | null, email: string): string | null {
  const [id, code] = mark?.split(".", 2) ?? [];
  if (!id || !code) return null;
  return isMac(PURPOSE, `${id}:${email}`, code) ? id : null;
}
