import { acceptCheckpoint } from "@/inngest/engine/accept-checkpoint";
import { acceptEvents } from "@/inngest/engine/accept-events";

/**
 * The seam between the SDK and the engine: what the Inngest client would send to a server over HTTP ends up in PostgreSQL. It knows the
 * two calls that the SDK makes on behalf of our functions; anything else is refused, so that no feature is lost without a word.
 */
export async function engineFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { pathname } = new URL(request.url);
  if (request.method === "POST" && pathname.startsWith("/e/")) return acceptEvents(request);
  if (request.method === "POST" && /^\/v1\/checkpoint\/[^/]+\/async$/.test(pathname)) return acceptCheckpoint(request);
  return Response.json({ error: `The embedded job engine does not answer ${request.method} ${pathname}.`, status: 501 }, { status: 501 });
}
