import { type ChildProcess, fork } from "node:child_process";
import { getHeapStatistics } from "node:v8";

import type { InngestFunction } from "inngest";

import { inngest, registerSender } from "@/inngest/client";
import { readDefinitions } from "@/inngest/engine/function-definition";
import type { ForkJob, TakenJob } from "@/inngest/engine/isolate";
import type { RunRequest } from "@/inngest/engine/queue/jobs";
import { createInvoke, type Engine, runFunction } from "@/inngest/engine/run-function";
import { inngestBackoff } from "@/inngest/engine/settle";
import { closeDatabase } from "@/lib/database/db";
import { log } from "@/lib/log";
import { shutDown } from "@/lib/shutdown";

interface GivenJob {
  job: TakenJob;
  request: RunRequest;
}

/** The worker's own command, with this behind it, carries out the jobs that it is told, one after another. */
export const JOBS_ARGUMENT = "--jobs";

/** As EX_TEMPFAIL (sysexits.h): something was in the way, and it was not the job. */
const EXIT_TEMPFAIL = 75;

/** What a process says of the job that it was told last. */
type JobMessage = "begun" | "ended";

/** What it is told of that job: to give it back with its next step. */
const YIELD = "give way";

/**
 * To start a process takes a core for a second or two, and many jobs may have been in hand: one that has ended its job
 * waits so long for the next.
 */
const IDLE_MS = 2_000;

/**
 * Has a job carried out by this process's own command in another process, which ends with this one, and has one job at
 * a time.
 */
export function forkJob(stopping: AbortSignal): ForkJob {
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const wake = (child: ChildProcess) => {
    clearTimeout(idle.get(child));
    idle.delete(child);
  };
  const dismiss = (child: ChildProcess) => {
    wake(child);
    if (child.connected) child.disconnect();
  };
  const rest = (child: ChildProcess) => {
    idle.set(child, setTimeout(dismiss, IDLE_MS, child));
    if (stopping.aborted) dismiss(child);
  };
  const begin = () => {
    const child = fork(process.argv[1] ?? "", [JOBS_ARGUMENT], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    // One that could not be begun says so when this process goes on, and whoever tells it a job hears of it; without a
    // listener it would end this process.
    child.on("error", (error) => log.warn({ err: error }, "a process for a job cannot be reached"));
    // Its channel may stay open for longer.
    return child.once("exit", () => wake(child));
  };
  stopping.addEventListener("abort", () => [...idle.keys()].forEach(dismiss));
  return async (job, request, givingWay) => {
    const rested = [...idle.keys()].find(({ connected }) => connected);
    if (rested) wake(rested);
    const child = rested ?? begin();
    const end = await assignJob(child, { job, request }, { stopping, givingWay });
    if (end === "ended" && child.connected) rest(child);
    return end;
  };
}

/** Tells a process a job, and what became of it. Throws when the process ended for another reason than the job. */
async function assignJob(
  child: ChildProcess,
  given: GivenJob,
  { stopping, givingWay }: Record<"stopping" | "givingWay", AbortSignal>,
): Promise<"ended" | "died"> {
  let hasBegun = false;
  const { promise, resolve, reject } = Promise.withResolvers<"ended" | "died">();
  const hear = (word: JobMessage) => (word === "begun" ? (hasBegun = true) : resolve("ended"));
  const leave = (code: number | null, signal: NodeJS.Signals | null) => {
    if (code === 0) resolve("ended");
    else if (hasBegun && code !== EXIT_TEMPFAIL) resolve("died");
    else reject(new Error(`The process of a job ended before it had done anything (${signal ?? `code ${code}`}).`));
  };
  const stop = () => child.kill("SIGTERM");
  // What is not told has ended, or is about to.
  const giveWay = () => child.send(YIELD, () => undefined);
  child.on("message", hear).once("exit", leave).once("error", reject);
  stopping.addEventListener("abort", stop);
  givingWay.addEventListener("abort", giveWay);
  try {
    child.send(given, (error) => error && reject(error));
    return await promise;
  } finally {
    child.off("message", hear).off("exit", leave).off("error", reject);
    stopping.removeEventListener("abort", stop);
    givingWay.removeEventListener("abort", giveWay);
  }
}

/** Whether this process was started to carry out jobs for a worker. */
export function isJobProcess([argument]: readonly string[] = process.argv.slice(2)): boolean {
  return argument === JOBS_ARGUMENT;
}

/**
 * Carries out the jobs that this process is told, in the name of the worker that holds them, until that worker leaves
 * it.
 */
export function runJobProcess(functions: readonly InngestFunction.Any[]): void {
  // Without its worker it holds nothing any more.
  process.once("disconnect", () => process.exit(EXIT_TEMPFAIL));
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stopping.abort());
  registerSender();
  const definitions = readDefinitions(inngest.id, functions);
  const engine: Engine = {
    definitions,
    invoke: createInvoke(inngest, functions),
    backoff: inngestBackoff,
    stopping: stopping.signal,
  };
  let givingWay = new AbortController();
  process.on("message", (told: GivenJob | typeof YIELD) => {
    if (told === YIELD) return givingWay.abort();
    givingWay = new AbortController();
    void runJob(engine, told, givingWay.signal);
  });
}

async function runJob(engine: Engine, { job, request }: GivenJob, givingWay: AbortSignal): Promise<void> {
  report("begun");
  try {
    await runFunction({ ...engine, stopping: AbortSignal.any([engine.stopping, givingWay]) }, job, request);
    // It may be ended at any moment from here on.
    await shutDown(Promise.resolve());
  } catch (error) {
    log.warn({ err: error, run_id: request.run_id }, "a job that has a process of its own could not be carried out");
    process.exit(EXIT_TEMPFAIL);
  }
  if (!isHeapHalfFull() && !engine.stopping.aborted) return report("ended");
  await closeDatabase();
  process.exit(0);
}

/** A worker that is gone by now hears nothing. */
function report(word: JobMessage): void {
  process.send?.(word, () => undefined);
}

/** Whether a job has left so much behind that the next one could die of it. */
function isHeapHalfFull(): boolean {
  return process.memoryUsage().heapUsed > getHeapStatistics().heap_size_limit / 2;
}
