import { setTimeout as delay } from "node:timers/promises";

import { type Supervised, supervise } from "@/scripts/service/supervisor/supervise";

/** How long nothing may happen on a machine that others keep busy. */
const LONGEST_STILLNESS_MS = 90_000;

const LEAST_WORK_MS = 1000;

const running: Supervised[] = [];

/** Starts a process that is started again whenever it ends, as the service does with its worker. */
export function keepRunning(name: string, args: string[], settings: Record<string, string> = {}): Supervised {
  const env = { ...process.env, LOG_LEVEL: "silent", ...settings };
  const supervised = supervise({ name, args, cwd: process.cwd(), env, print: () => undefined });
  running.push(supervised);
  return supervised;
}

export async function stopProcesses(): Promise<void> {
  await Promise.all(running.splice(0).map((each) => each.stop()));
}

/** `kill -9` at a random moment while the process is at work: what it does makes a number grow. */
export async function strike(victim: Supervised, what: string, measure: () => Promise<number>): Promise<void> {
  const before = await measure();
  await untilSettled(`${what} beyond ${before}`, async () => ((await measure()) > before ? 0 : 1));
  // Whoever is killed sooner after its start is taken for broken, and started again ever later.
  await delay(LEAST_WORK_MS + Math.random() * 2000);
  const pid = victim.pid();
  // None: it has just ended by itself, and is about to be started again.
  if (pid !== undefined) process.kill(pid, "SIGKILL");
}

/** Waits until nothing is left of what is counted. Fails when it gets no less for a long time. */
export async function untilSettled(what: string, remaining: () => Promise<number>): Promise<void> {
  let [fewest, since] = [Number.POSITIVE_INFINITY, performance.now()];
  for (;;) {
    const left = await remaining();
    if (left === 0) return;
    if (left < fewest) [fewest, since] = [left, performance.now()];
    if (performance.now() - since > LONGEST_STILLNESS_MS)
      throw new Error(`Waited in vain for ${what}; ${left} are left.`);
    await delay(50);
  }
}
