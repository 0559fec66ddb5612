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

export function inWords(limit: Limit): string {
  const [words, value] = "atMost" in limit ? ["at most", limit.atMost] : ["at least", limit.atLeast];
  return `${words} ${value.toLocaleString("en", { maximumFractionDigits: 3 })}`;
}

/** A value that is no number keeps to nothing: nothing was measured. */
export function keepsTo(value: number, limit: Limit): boolean {
  return "atMost" in limit ? value <= limit.atMost : value >= limit.atLeast;
}

function isBeyond({ value, limit }: Measurement): boolean {
  return limit !== undefined && !keepsTo(value, limit);
}
