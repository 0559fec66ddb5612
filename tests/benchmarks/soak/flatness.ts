import { median } from "@/tests/benchmarks/api/percentiles";

/**
 * How memory developed: the medians of the second and last third of the time, in the unit of the samples, and whether
 * that is flat.
 */
export interface Flatness {
  second: number;
  last: number;
  /** Per minute, of the best-fitting line through the last two thirds. */
  slope: number;
  isFlat: boolean;
}

/**
 * How much the last third may exceed the second: garbage collection makes heaps rise and fall. The first third is the
 * warm-up.
 */
const TOLERANCE = 1.1;

/** Evaluates samples that were taken at equal intervals. */
export function flatness(samples: readonly number[], secondsBetween: number): Flatness {
  const third = Math.floor(samples.length / 3);
  const second = median(samples.slice(third, 2 * third));
  const last = median(samples.slice(2 * third));
  const slope = slopeOf(samples.slice(third)) * (60 / secondsBetween);
  return { second, last, slope, isFlat: last <= second * TOLERANCE };
}

/** Least squares, per sample. */
function slopeOf(values: readonly number[]): number {
  const center = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const moments = values.reduce((sum, value, index) => sum + (index - center) * (value - mean), 0);
  return moments / values.reduce((sum, _, index) => sum + (index - center) ** 2, 0);
}
