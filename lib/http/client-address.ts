/**
 * The network address that a request comes from: the last one in `X-Forwarded-For`, which is the one that the nearest server saw. The web
 * process (scripts/web.ts) writes the header itself, from the connection, unless TRUST_PROXY says that a proxy does.
 */
export function clientAddress(headers: Headers): string {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || "unknown";
}
