import { randomInt } from "node:crypto";

/** How long a test goes on that sends requests made at random. */
export interface FuzzOptions {
  requests: number;
  seconds: number;
  seed: number;
}

/**
 * `FUZZ_REQUESTS=50000` asks for that many, however long they take; otherwise it is what fits into the seconds that
 * `npm test` has. `FUZZ_SEED` repeats a run.
 */
export function readFuzzOptions(usual: Pick<FuzzOptions, "requests" | "seconds">): FuzzOptions {
  const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
  const extent = FUZZ_REQUESTS ? { requests: Number(FUZZ_REQUESTS), seconds: 3600 } : usual;
  return { ...extent, seed: FUZZ_SEED ? Number(FUZZ_SEED) : randomInt(2 ** 31) };
}
