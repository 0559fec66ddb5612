import type { Field } from "@/lib/records/schema/field";

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const PHONE = /^[\d\s()+./-]{5,25}$/;
/** "+49 (0)30": the zero is dialled only within the country (DIN 5008). */
const TRUNK_ZERO = /^(\+[\d\s]+)\(0\)/;

/** Whether a field holds telephone numbers, or numbers of fax machines, and the value looks like one. */
export function isPhone(name: string, value: string): boolean {
  return /(phone|fax)$/.test(name) && PHONE.test(value);
}

/**
 * What a link opens to reach somebody: `mailto:` (RFC 6068), `tel:` (RFC 3966), or a website by http or https.
 * Undefined for what is no such address: imported values can be anything.
 */
export function contactAddress(name: string, field: Field | undefined, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (field?.format === "email") return EMAIL.test(text) ? `mailto:${emailPath(text)}` : undefined;
  if (name === "website") return websiteAddress(text);
  return isPhone(name, text) && !name.endsWith("fax") ? `tel:${digitsOf(text)}` : undefined;
}

/** `?` and `&` would begin further headers of the message. */
function emailPath(address: string): string {
  return encodeURIComponent(address).replace("%40", "@");
}

function digitsOf(phone: string): string {
  const digits = phone.replace(TRUNK_ZERO, "$1").replaceAll(/\D/g, "");
  return phone.startsWith("+") ? `+${digits}` : digits;
}

/** A text without a scheme is a host: whatever else stands before a colon makes no valid host. */
function websiteAddress(text: string): string | undefined {
  const hasScheme = /^https?:\/\//i.test(text);
  const url = /\s/.test(text) ? null : URL.parse(hasScheme ? text : `https://${text}`);
  // "none" is no website, but a scheme makes the name of a machine one. What has a user is an e-mail address.
  if (!url || url.username !== "" || !(hasScheme || url.hostname.includes("."))) return undefined;
  return url.href;
}
