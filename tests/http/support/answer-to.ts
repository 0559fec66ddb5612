/**
 * Answers a request in this process, or, with CALL_ORIGIN, by the web processes that share that address
 * (two-webs.ts): over a connection of its own, so that any of them may get it.
 */
export async function answerTo(request: Request, inProcess: () => Promise<Response>): Promise<Response> {
  const origin = process.env.CALL_ORIGIN;
  if (!origin) return inProcess();
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("connection", "close");
  const body = request.body === null ? null : await request.arrayBuffer();
  return fetch(new URL(`${pathname}${search}`, origin), { method: request.method, headers, body, redirect: "manual" });
}
