import { randomInt } from "node:crypto";

/** How long a test with random requests runs. */
export interface FuzzOptions {
  requests: number;
  seconds: number;
  seed: number;
}

/**
 * `FUZZ_REQUESTS=50000` runs that many, however long they take; otherwise as many as fit into the time of `npm test`.
 * `FUZZ_SEED` repeats a run.
 */
export function readFuzzOptions(usual: Pick<FuzzOptions, "requests" | "seconds">): FuzzOptions {
  const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
  const extent = FUZZ_REQUESTS ? { requests: Number(FUZZ_REQUESTS), seconds: 3600 } : usual;
  return { ...extent, seed: FUZZ_SEED ? Number(FUZZ_SEED) : randomInt(2 ** 31) };
}
