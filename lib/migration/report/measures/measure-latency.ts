import type { SalesforceClient } from "@/lib/salesforce/client";

/** One request may be slow by chance, or be repeated by the client, and the latency counts for every page and file. */
const TIMED_REQUESTS = 3;

/** The duration of the smallest request, in milliseconds: the least of several. */
export async function measureLatency(client: SalesforceClient): Promise<number> {
  const durations: number[] = [];
  for (let request = 0; request < TIMED_REQUESTS; request += 1) {
    const started = performance.now();
    await client.request(client.dataPath);
    durations.push(performance.now() - started);
  }
  return Math.round(Math.min(...durations));
}
