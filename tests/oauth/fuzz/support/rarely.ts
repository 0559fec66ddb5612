import * as fc from "fast-check";

/** A value once in `times`; otherwise null. */
export function rarely<Value>(times: number, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
}
