import { functions } from "@/inngest/functions/all";
import { startWorker } from "@/inngest/worker";
import { closeDatabase } from "@/lib/db";
import { usesInngestServer } from "@/lib/env";
import { log } from "@/lib/log";

/** The worker process of the embedded job engine. On an Inngest server there is nothing for it to do: the web process serves the functions. */
async function main(): Promise<void> {
  if (usesInngestServer) return log.info("jobs run on the Inngest server of INNGEST_*; no worker is needed");
  const worker = await startWorker({ functions });
  log.info({ functions: functions.map((fn) => fn.id()) }, "worker ready");

  let stopping = false;
  async function stop(signal: string): Promise<void> {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "worker stopping");
    const allEnded = await worker.stop();
    log.info({ all_ended: allEnded }, "worker stopped");
    if (allEnded) await closeDatabase();
    process.exit(0);
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop(signal));

  await worker.ended;
}

try {
  await main();
} catch (error) {
  log.fatal({ err: error }, "worker failed");
  process.exitCode = 1;
  await closeDatabase();
}
