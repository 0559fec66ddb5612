import { setTimeout as delay } from "node:timers/promises";

import { quantile } from "@/tests/benchmarks/api/percentiles";
import type { Measurement } from "@/tests/benchmarks/measurement";
import { closeWebhooks, createAccounts, openWebhook, untilDelivered } from "@/tests/benchmarks/webhooks/backlog";
import type { Ground } from "@/tests/benchmarks/webhooks/ground";

/** Between two changes, at random, so that no rhythm of the worker's own is met or missed. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [50, 250];
const WARM_UP = 20;

/** From the commit of a change until its event arrives, one change at a time. */
export async function measureLatency({ receiver, endpoint, context }: Ground, changes: number): Promise<Measurement[]> {
  const { pool } = await import("@/tests/support/owner");
  const { minIdAt } = await import("@/lib/ids");
  const id = await openWebhook(context, `${endpoint}/hooks`);
  await receiver.run({ forgets: true });
  const begun = minIdAt(new Date());
  const commits: number[] = [];
  for (let change = 0; change < WARM_UP + changes; change += 1) {
    commits.push(performance.timeOrigin + (await createAccounts(context, 1)));
    await delay(SHORTEST_PAUSE_MS + Math.random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS));
  }
  await untilDelivered(context, [id]);
  const { received } = await receiver.run({});
  const told =
    "SELECT id FROM events WHERE organization_id = $1 AND type = 'account.created' AND id > $2 ORDER BY tx, id";
  const { rows } = await pool().query<{ id: string }>(told, [context.organizationId, begun]);
  const latencies = rows
    .map((event, index) => (received.get(event.id) ?? Number.NaN) - (commits[index] ?? Number.NaN))
    .slice(WARM_UP);
  if (latencies.length !== changes || latencies.some(Number.isNaN)) throw new Error("Some events did not arrive.");
  await closeWebhooks(context, [id]);
  return [0.5, 0.95, 0.99].map((part) => ({
    name: `from commit to receipt, one change at a time: p${part * 100}`,
    value: quantile(latencies, part).toFixed(1),
    unit: "ms",
  }));
}
