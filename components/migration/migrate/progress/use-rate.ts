import { useState } from "react";

interface Sample {
  /** Milliseconds. */
  at: number;
  done: number;
}

const WINDOW_MS = 20_000;
const MIN_WINDOW_MS = 2500;

/**
 * Records per second over the last seconds, measured by polling; null while there is too little data or no progress.
 * `at` is the time of the poll that returned `done`.
 */
export function useRate(done: number, at: number): number | null {
  const [samples, setSamples] = useState<Sample[]>([]);
  if (samples.at(-1)?.at !== at) {
    setSamples([...samples.filter((sample) => sample.at > at - WINDOW_MS && sample.done <= done), { at, done }]);
  }
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < MIN_WINDOW_MS || last.done === first.done) return null;
  return ((last.done - first.done) * 1000) / (last.at - first.at);
}
