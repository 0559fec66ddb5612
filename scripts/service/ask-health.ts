import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";

interface Health {
  ok: boolean;
  /** The body of the answer, or undefined if it is no JSON. */
  said: unknown;
}

/**
 * Asks the web process at `origin` for `/api/health/…`. Undefined if it does not answer before the abort. Not by fetch,
 * which would take 8 MB of the supervisor for as long as it waits.
 */
export async function askHealth(
  origin: string,
  route: "live" | "ready",
  signal: AbortSignal,
): Promise<Health | undefined> {
  const request = get(`${origin}/api/health/${route}`, { agent: false, signal });
  // An abort while the body arrives is an error of both, the request and the body.
  request.on("error", () => undefined);
  try {
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    const said = await json(answer).catch(() => undefined);
    return { ok: answer.statusCode === 200, said };
  } catch {
    return undefined;
  }
}
