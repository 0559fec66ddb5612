/** What a value must keep to, so that the run that measures it ends well. */
export type Limit = { atMost: number } | { atLeast: number };

/** One measured value. It is text if it consists of several, such as percentiles; those have no limit. */
export type Measurement = { name: string; unit: string } & (
  | { value: number; limit?: Limit }
  | { value: number | string; limit?: never }
);
