import { median } from "@/tests/benchmarks/api/percentiles";
import { compare, type Measurement } from "@/tests/benchmarks/measurement";
import { closeWebhooks, createAccounts, openWebhook, untilDelivered } from "@/tests/benchmarks/webhooks/backlog";
import type { BenchmarkSetup } from "@/tests/benchmarks/webhooks/setup";

const CONNECTIONS = [16, 64];

interface Size {
  deliveries: number;
  rounds: number;
}

/**
 * Deliveries of one webhook per second, from the commit until each was answered and recorded, compared with a bare loop
 * of signed requests.
 */
export async function measureSpeed(
  { receiver, bareLoop, endpoint, context }: BenchmarkSetup,
  { deliveries, rounds }: Size,
): Promise<Measurement[]> {
  const body = await bodyOf(context);
  const floors = CONNECTIONS.map((connections) => ({ connections, speeds: [] as number[] }));
  const speeds: number[] = [];
  // A first round, which compiles, connects and fills caches, is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const floor of floors) {
      const speed = await bareLoop.run({ origin: endpoint, connections: floor.connections, seconds: 3, body });
      if (round > 0) floor.speeds.push(speed);
    }
    await receiver.run({ clears: true });
    const id = await openWebhook(context, `${endpoint}/hooks`);
    const committed = await createAccounts(context, deliveries);
    const seconds = ((await untilDelivered(context, [id])) - committed) / 1000;
    const { received } = await receiver.run({});
    if (received.size !== deliveries) throw new Error(`Of ${deliveries} deliveries ${received.size} arrived.`);
    await closeWebhooks(context, [id]);
    if (round > 0) speeds.push(deliveries / seconds);
  }
  return [
    {
      name: `${deliveries} deliveries, from commit to 2xx, recorded`,
      value: Math.round(median(speeds)),
      unit: "deliveries/s",
    },
    ...floors.flatMap((floor) => [
      {
        name: `floor: bare loop of signed requests, ${floor.connections} connections`,
        value: Math.round(median(floor.speeds)),
        unit: "requests/s",
      },
      compare({
        what: `deliveries, against ${floor.connections} connections`,
        against: `bare loop of ${floor.connections}`,
        floor: median(floor.speeds),
        ours: median(speeds),
        unit: "per second",
        ratio: median(speeds.map((speed, round) => speed / (floor.speeds[round] ?? Number.NaN))),
      }),
    ]),
  ];
}

/** The body of a delivery, so that the floor sends the same amount. */
async function bodyOf(context: BenchmarkSetup["context"]): Promise<string> {
  const { pool } = await import("@/tests/support/owner");
  const { eventPayload } = await import("@/lib/event-format");
  await createAccounts(context, 1);
  const text = `SELECT ${eventPayload("e")} AS body FROM events e WHERE e.organization_id = $1
    AND e.type = 'account.created' LIMIT 1`;
  const { rows } = await pool().query<{ body: string }>(text, [context.organizationId]);
  return rows[0]?.body ?? "";
}
