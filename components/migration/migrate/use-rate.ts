import { useState } from "react";

interface Sample {
  /** Milliseconds. */
  at: number;
  done: number;
}

const WINDOW_MS = 20_000;
const SHORTEST_MS = 2500;

/**
 * Records per second over the last seconds, from what polling has seen; null until enough was seen, and when nothing
 * moves. `at` is the moment of the poll that brought `done`.
 */
export function useRate(done: number, at: number): number | null {
  const [samples, setSamples] = useState<Sample[]>([]);
  if (samples.at(-1)?.at !== at) {
    setSamples([...samples.filter((sample) => sample.at > at - WINDOW_MS && sample.done <= done), { at, done }]);
  }
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < SHORTEST_MS || last.done === first.done) return null;
  return ((last.done - first.done) * 1000) / (last.at - first.at);
}
