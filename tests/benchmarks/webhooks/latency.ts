import { setTimeout as delay } from "node:timers/promises";

import { quantile } from "@/tests/benchmarks/api/percentiles";
import type { Measurement } from "@/tests/benchmarks/measurement";
import { closeWebhooks, createAccounts, openWebhook, untilDelivered } from "@/tests/benchmarks/webhooks/backlog";
import type { BenchmarkSetup } from "@/tests/benchmarks/webhooks/setup";

/** The pause between two changes is random, so that it does not match a rhythm of the worker. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [50, 250];
const WARM_UP = 20;

/** The time from the commit of a change until its event arrives, one change at a time. */
export async function measureLatency(
  { receiver, endpoint, context }: BenchmarkSetup,
  changes: number,
): Promise<Measurement[]> {
  const { pool } = await import("@/tests/support/owner");
  const { minIdAt } = await import("@/lib/ids");
  const id = await openWebhook(context, `${endpoint}/hooks`);
  await receiver.run({ clears: true });
  const firstId = minIdAt(new Date());
  const commits: number[] = [];
  for (let change = 0; change < WARM_UP + changes; change += 1) {
    commits.push(performance.timeOrigin + (await createAccounts(context, 1)));
    await delay(MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS));
  }
  await untilDelivered(context, [id]);
  const { received } = await receiver.run({});
  const createdEvents =
    "SELECT id FROM events WHERE organization_id = $1 AND type = 'account.created' AND id > $2 ORDER BY tx, id";
  const { rows } = await pool().query<{ id: string }>(createdEvents, [context.organizationId, firstId]);
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
