import { median } from "@/tests/benchmarks/api/percentiles";
import type { Measurement } from "@/tests/benchmarks/measurement";
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
  const ratios: number[] = [];
  const speeds: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const paths = round % 2 === 0 ? ["hooks", "hangs"] : ["hangs", "hooks"];
    const seconds: Record<string, number> = {};
    for (const path of paths) seconds[path] = await secondsBeside(setup, path, deliveries);
    if (round === 0) continue;
    ratios.push((seconds.hooks ?? Number.NaN) / (seconds.hangs ?? Number.NaN));
    speeds.push(((ENDPOINTS - 1) * deliveries) / (seconds.hangs ?? Number.NaN));
  }
  return [
    { name: "nine endpoints beside one that hangs", value: Math.round(median(speeds)), unit: "deliveries/s" },
    { name: "nine beside one that hangs / beside one that answers", value: median(ratios).toFixed(3), unit: "" },
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
