import { randomInt } from "node:crypto";

/** How long a test with random requests runs. */
export interface FuzzOptions {
  requests: number;
  seed: number;
}

/** `FUZZ_REQUESTS=50000` sends so many in place of the `usual` number. `FUZZ_SEED` repeats a run. */
export function readFuzzOptions(usual: number): FuzzOptions {
  const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
  return {
    requests: FUZZ_REQUESTS ? Number(FUZZ_REQUESTS) : usual,
    seed: FUZZ_SEED ? Number(FUZZ_SEED) : randomInt(2 ** 31),
  };
}
