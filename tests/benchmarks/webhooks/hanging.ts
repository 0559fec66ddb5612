import { median } from "@/tests/benchmarks/api/percentiles";
import { compare, type Measurement } from "@/tests/benchmarks/measurement";
import { closeWebhooks, createAccounts, openWebhook, untilDelivered } from "@/tests/benchmarks/webhooks/backlog";
import type { BenchmarkSetup } from "@/tests/benchmarks/webhooks/setup";

const ENDPOINTS = 10;

interface Size {
  /** Per webhook. */
  deliveries: number;
  rounds: number;
}

/**
 * The speed of nine endpoints beside a tenth that never answers, compared with the same nine beside one that answers.
 */
export async function measureHanging(setup: BenchmarkSetup, { deliveries, rounds }: Size): Promise<Measurement[]> {
  const times: { hangs: number; hooks: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const paths = round % 2 === 0 ? (["hooks", "hangs"] as const) : (["hangs", "hooks"] as const);
    const seconds = { hangs: Number.NaN, hooks: Number.NaN };
    for (const path of paths) seconds[path] = await secondsBeside(setup, path, deliveries);
    if (round > 0) times.push(seconds);
  }
  const speedBeside = (path: "hangs" | "hooks") =>
    median(times.map((seconds) => ((ENDPOINTS - 1) * deliveries) / seconds[path]));
  return [
    { name: "nine endpoints beside one that hangs", value: Math.round(speedBeside("hangs")), unit: "deliveries/s" },
    compare({
      what: "nine beside one that hangs",
      against: "beside one that answers",
      floor: speedBeside("hooks"),
      ours: speedBeside("hangs"),
      unit: "deliveries/s",
      ratio: median(times.map(({ hooks, hangs }) => hooks / hangs)),
    }),
  ];
}

/** The time until everything has arrived at nine endpoints, beside a tenth at `path`. */
async function secondsBeside({ endpoint, context }: BenchmarkSetup, path: string, deliveries: number): Promise<number> {
  const beside = await openWebhook(context, `${endpoint}/${path}`);
  const nine: string[] = [];
  while (nine.length < ENDPOINTS - 1) nine.push(await openWebhook(context, `${endpoint}/hooks`));
  const committed = await createAccounts(context, deliveries);
  const seconds = ((await untilDelivered(context, nine)) - committed) / 1000;
  if (path === "hooks") await untilDelivered(context, [beside]);
  await closeWebhooks(context, [...nine, beside]);
  return seconds;
}
