import { Pool } from "undici";

import { takeOrders } from "@/tests/benchmarks/api/load-process";
import { exchange, isSuccess, type PlannedRequest } from "@/tests/benchmarks/api/exchange";

/** Sends the requests one after the other, again and again, over this many connections at a time. */
export interface Order {
  origin: string;
  connections: number;
  seconds: number;
  requests: readonly PlannedRequest[];
}

/** How the requests that came to an end in time fared. */
export interface Round {
  seconds: number;
  /** Of each request, in milliseconds. */
  latencies: Float64Array;
}

/** Throws at the first answer that is no success: what is refused quickly must not count as fast. */
async function repeat({ origin, connections, seconds, requests }: Order): Promise<Round> {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  let next = 0;
  async function work(): Promise<void> {
    while (performance.now() < end) {
      const request = requests[next++ % requests.length];
      if (!request) return;
      const { status, milliseconds, body } = await exchange(pool, request, (code) => !isSuccess(code));
      if (!isSuccess(status)) throw new Error(`${request.method} ${request.path} answered ${status}: ${body}`);
      latencies.push(milliseconds);
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, work));
    return { seconds: (performance.now() - started) / 1000, latencies: Float64Array.from(latencies) };
  } finally {
    await pool.destroy();
  }
}

takeOrders(repeat);
