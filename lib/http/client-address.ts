/**
 * The network address that a request comes from: the last one in `X-Forwarded-For`, which is the one that the nearest server saw. Next
 * fills the header in when no proxy does.
 */
export function clientAddress(headers: Headers): string {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || "unknown";
}
