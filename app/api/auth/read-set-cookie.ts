/** The name and the decoded value of a `Set-Cookie` header. */
export function readSetCookie(cookie: string): [name: string, value: string] {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  return [name, decodeURIComponent(value)];
}
