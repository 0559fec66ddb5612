import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";

/**
 * Whether a web process answers at `origin`. False if none does before the abort. Not by fetch, which would take 8 MB
 * of the supervisor for as long as it waits.
 */
export async function isLive(origin: string, signal: AbortSignal): Promise<boolean> {
  const request = get(`${origin}/api/health/live`, { agent: false, signal });
  // `once` reports the first error; there may be more.
  request.on("error", () => undefined);
  try {
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode === 200;
  } catch {
    return false;
  }
}
