/** What a value must keep to. */
export type Limit = { atMost: number } | { atLeast: number };

/** What a ratio was made of: the same quantity of the floor and of ours. */
export interface Compared {
  what: string;
  /** The floor's name. */
  against: string;
  floor: number;
  ours: number;
  unit: string;
}

/**
 * One measured value. It is text if it consists of several, such as percentiles; those have no limit. `limit`: beyond
 * it the run that measures the value fails. `goal`: what it should keep to, but need not yet.
 */
export type Measurement = { name: string; unit: string; compared?: Compared } & (
  | { value: number; limit?: Limit; goal?: Limit }
  | { value: number | string; limit?: never; goal?: never }
);

interface Comparison extends Compared {
  /** Where it is the median of the ratios of many rounds, and not that of the two figures. */
  ratio?: number;
  limit?: Limit;
  goal?: Limit;
}

const PRECISION = 3;

/** The ratio of ours to the floor. */
export function compare(comparison: Comparison): Measurement {
  const { what, against, floor, ours, unit, ratio = ours / floor, limit, goal } = comparison;
  return {
    name: `${what} / ${against}`,
    value: Number(ratio.toPrecision(PRECISION)),
    unit: "",
    compared: { what, against, floor: Number(floor.toPrecision(4)), ours: Number(ours.toPrecision(4)), unit },
    ...(limit && { limit }),
    ...(goal && { goal }),
  };
}
