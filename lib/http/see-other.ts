/**
 * Sends the browser on with a GET (RFC 9110 §15.4.4). Never 307: it would send a form, and what was typed into it, once more. The target
 * may hold a code, so nothing is stored and no referrer is sent.
 */
export function seeOther(location: string, setCookies: readonly string[] = []): Response {
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const cookie of setCookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
