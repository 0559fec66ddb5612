/**
 * Sends the browser on to a path of ours with a GET (RFC 9110 §15.4.4). Never 307: it would send a form, and what was typed into it, once more. The
 * path may hold a code, so nothing is stored and no referrer is sent. To other origins leads `leadAway`.
 */
export function seeOther(location: string, setCookies: readonly string[] = []): Response {
  if (!/^\/(?!\/)/.test(location)) throw new Error("A redirect leads to a path of ours.");
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const cookie of setCookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
