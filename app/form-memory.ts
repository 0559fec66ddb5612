import { decrypt, encrypt } from "@/lib/security/crypto";
import { setCookie } from "@/lib/sessions/browser-sessions/cookies";

/** What a page needs to show a refused form again, never with passwords. */
export interface FormMemory {
  values: Record<string, string>;
  /** A sentence per field. */
  faults: Record<string, string>;
}

export const FORM_COOKIE = "crm-form";
const SECONDS = 120;
/** Browsers drop a cookie of more than 4 KB. */
const MAX_LENGTH = 3500;

/**
 * A `Set-Cookie` value in which the page at `path` remembers what was entered. It is encrypted, since it holds an
 * e-mail address.
 */
export function rememberForm(path: string, memory: FormMemory): string {
  const sealed = seal(path, memory);
  const value = sealed.length <= MAX_LENGTH ? sealed : seal(path, { values: {}, faults: memory.faults });
  return setCookie(FORM_COOKIE, value, { path, seconds: SECONDS });
}

function seal(path: string, memory: FormMemory): string {
  return Buffer.from(encrypt(["form-memory", path], JSON.stringify(memory))).toString("base64url");
}

/** What was entered at `path` before, or nothing if the cookie is absent or not ours. */
export function recallForm(path: string, cookie: string | undefined): FormMemory {
  try {
    return cookie
      ? (JSON.parse(decrypt(["form-memory", path], Buffer.from(cookie, "base64url"))) as FormMemory)
      : { values: {}, faults: {} };
  } catch {
    return { values: {}, faults: {} };
  }
}
