import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const INTERVAL_MS = 5_000;

/** A process rests while its event loop is idle for all but this share of the time: it answers probes, and polls. */
const MAX_BUSY = 0.05;

/** Work that leaves garbage worth a collection, which takes some 100 ms; in milliseconds. */
const MIN_WORK_MS = 1_000;

/** How long it takes until what was kept for the next requests has expired, such as pages of lists. */
const EXPIRED_MS = 130_000;

type Collect = (options: { type: "major"; flavor: "last-resort" }) => void;

/** What collects all garbage and shrinks the space for new objects, in some 100 ms; Node offers it behind a flag. */
function collector(): () => void {
  // Without a flag for the whole process (https://nodejs.org/api/v8.html#v8setflagsfromstringflags).
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  return () => collect({ type: "major", flavor: "last-resort" });
}

/** Gives back what a process needed for its start, if it does next to nothing from then on. */
export function collectAfterStart(): void {
  collector()();
}

/**
 * Gives memory back once a process rests after work, and once more when what it cached has expired. V8 collects garbage
 * only while a process allocates, and keeps the space of its last load: a web process 100 MB of lists that nobody asks
 * for any more.
 */
export function collectAtRest(intervalMs = INTERVAL_MS, expiredMs = EXPIRED_MS): void {
  const collect = collector();
  let before = performance.eventLoopUtilization();
  // The start is work, too.
  let collectedAfterMs = 0;
  let collectAgainAt = Infinity;
  const check = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const hasWorked = now.active - collectedAfterMs >= MIN_WORK_MS;
    if (utilization > MAX_BUSY || (!hasWorked && performance.now() < collectAgainAt)) return;
    collect();
    collectAgainAt = hasWorked ? performance.now() + expiredMs : Infinity;
    collectedAfterMs = performance.eventLoopUtilization().active;
  };
  setInterval(check, intervalMs).unref();
}
