import { Fault } from "@/scripts/service/fault";
import type { Limit, Measurement } from "@/tests/benchmarks/measurement";

/** The name of a figure, with its limit: "first rows, median (at most 300)". */
export function titleOf({ name, limit }: Measurement): string {
  return limit ? `${name} (${inWords(limit)})` : name;
}

/** Throws if a figure is beyond its limit, and names every one that is. */
export function assertWithinLimits(measurements: readonly Measurement[]): void {
  const beyond = measurements.filter(isBeyond).map((each) => `${titleOf(each)}: ${each.value} ${each.unit}`.trimEnd());
  if (beyond.length > 0) throw new Fault(`These figures are beyond their limits: ${beyond.join("; ")}.`);
}

function inWords(limit: Limit): string {
  return "atMost" in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`;
}

/** A value that is no number is beyond every limit: nothing was measured. */
function isBeyond({ value, limit }: Measurement): boolean {
  if (!limit) return false;
  return "atMost" in limit ? !(value <= limit.atMost) : !(value >= limit.atLeast);
}
