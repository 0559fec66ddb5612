import { setTimeout as delay } from "node:timers/promises";

import { freePort } from "@/scripts/service/free-port";
import { WEB_ARGS } from "@/scripts/service/supervisor/process-args";
import { type Supervised, supervise } from "@/scripts/service/supervisor/supervise";

const webs: Supervised[] = [];

export async function stopTwoWebs(): Promise<void> {
  delete process.env.CALL_ORIGIN;
  await Promise.all(webs.splice(0).map((web) => web.stop()));
}

/**
 * Lets two web processes that share a port answer for this suite, on the database that it uses just now
 * (answer-to.ts). Those from before are stopped.
 */
export async function startTwoWebs(): Promise<void> {
  await stopTwoWebs();
  const port = String(await freePort());
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    PORT: port,
    LISTEN_HOST: "127.0.0.1",
    WEB_PROCESSES: "2",
  };
  for (const name of ["web 1", "web 2"])
    webs.push(supervise({ name, args: WEB_ARGS, cwd: process.cwd(), env, print: console.error }));
  for (const web of webs) await untilReady(web);
  process.env.CALL_ORIGIN = `http://127.0.0.1:${port}`;
}

/** A process says nothing until it listens. */
async function untilReady(web: Supervised): Promise<void> {
  while ((await web.readiness(AbortSignal.timeout(1000))) === undefined) await delay(50);
}

/** Where two web processes answer, starts them anew: on the database and with the settings of now. */
export async function restartWebs(): Promise<void> {
  if (process.env.CALL_ORIGIN) await startTwoWebs();
}
