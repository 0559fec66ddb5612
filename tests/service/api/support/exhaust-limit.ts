import { setTimeout as pause } from "node:timers/promises";

const AT_ONCE = 16;
/** The rest of the minute must be this long, so that the requests that should be refused fall into it. */
const MIN_SECONDS_LEFT = 3;

/** Sends requests until the service refuses the client for the rest of the minute. */
export async function exhaustLimit(origin: string, token: string): Promise<void> {
  const send = async (): Promise<Response> => {
    const response = await fetch(`${origin}/migration?limit=1`, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    return response;
  };
  const untilRefused = async (): Promise<number> => {
    for (;;) {
      const response = await send();
      if (response.status === 429) return Number(response.headers.get("retry-after"));
    }
  };
  const first = await send();
  if (first.status === 429 && Number(first.headers.get("retry-after")) >= MIN_SECONDS_LEFT) return;
  for (;;) {
    const left = Math.min(...(await Promise.all(Array.from({ length: AT_ONCE }, untilRefused))));
    if (left >= MIN_SECONDS_LEFT) return;
    await pause(left * 1000);
  }
}
