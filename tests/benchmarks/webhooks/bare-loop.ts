import { createHmac, randomUUID } from "node:crypto";

import { Pool } from "undici";

import { handleTasks } from "@/tests/benchmarks/api/load-process";

/**
 * The floor of sending webhooks: signs and posts bodies one after the other over a number of connections, and nothing
 * else.
 */
export interface BareLoop {
  origin: string;
  connections: number;
  seconds: number;
  body: string;
}

/** Returns the number of answers per second. */
async function postInLoop({ origin, connections, seconds, body }: BareLoop): Promise<number> {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const key = Buffer.from("a key of thirty-two bytes, all told");
  const started = performance.now();
  const end = started + seconds * 1000;
  let posted = 0;
  async function work(): Promise<void> {
    while (performance.now() < end) {
      const id = randomUUID();
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
      const headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": signature,
      };
      const answer = await pool.request({ method: "POST", path: "/hooks", headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`The receiver answered ${answer.statusCode}.`);
      posted += 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, work));
  const speed = (posted / (performance.now() - started)) * 1000;
  await pool.destroy();
  return speed;
}

handleTasks(postInLoop);
