import type { Dispatcher } from "undici";

import { exchange, isSuccess } from "@/tests/benchmarks/api/exchange";
import type { Send } from "@/tests/benchmarks/soak/actor";

/** Latencies by kind of request, in milliseconds. */
export type Latencies = Map<string, number[]>;

/** Sends each request once, and adds how long it took to `latencies`. */
export function measuredSend(client: Dispatcher, token: string, latencies: Latencies): Send {
  return async (kind, method, path, body) => {
    const request = { method, path: `/api/v1${path}`, token, ...(body && { body: JSON.stringify(body) }) };
    const answer = await exchange(client, request, () => true);
    if (!isSuccess(answer.status))
      throw new Error(`${method} ${request.path} answered ${answer.status}: ${answer.body}`);
    const known = latencies.get(kind) ?? [];
    latencies.set(kind, known);
    known.push(answer.milliseconds);
    return JSON.parse(answer.body) as Record<string, unknown>;
  };
}
