import { type ChildProcess, fork } from "node:child_process";
import { getHeapStatistics } from "node:v8";

import type { InngestFunction } from "inngest";

import { inngest, registerSender } from "@/inngest/client";
import { readDefinitions } from "@/inngest/engine/function-definition";
import { inngestBackoff } from "@/inngest/engine/settle";
import { closeDatabase } from "@/lib/database/db";
import type { ForkJob } from "@/inngest/engine/isolate";
import type { RunRequest, TakenJob } from "@/inngest/engine/queue/jobs";
import { createInvoke, type Engine, runFunction } from "@/inngest/engine/run-function";
import { log } from "@/lib/log";
import { closeTraces } from "@/lib/observability/instruments";
import { shutDown } from "@/lib/shutdown";

interface GivenJob {
  job: TakenJob;
  request: RunRequest;
}

/** The argument with which the worker's command runs the jobs that its parent assigns, one after another. */
export const JOBS_ARGUMENT = "--jobs";

/** EX_TEMPFAIL (sysexits.h): the process failed for a reason other than the job. */
const EXIT_TEMPFAIL = 75;

/** What a job process reports of the job that was assigned last. */
type JobMessage = "started" | "ended";

/** Tells a job process to return its job to the queue before the next step. */
const YIELD = "yield";

/**
 * How long a process waits for its next job. Starting one takes a core for a second or two, and a worker that died may
 * have left many jobs.
 */
const IDLE_MS = 2_000;

/**
 * Runs a job in a separate process, started by this process's own command. It runs one job at a time and ends with this
 * process; only if this one is killed, a job that blocks the event loop goes on, without effect on its run.
 */
export function forkJob(stopping: AbortSignal): ForkJob {
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const cancelIdle = (child: ChildProcess) => {
    clearTimeout(idle.get(child));
    idle.delete(child);
  };
  const disconnect = (child: ChildProcess) => {
    cancelIdle(child);
    if (child.connected) child.disconnect();
  };
  const keepIdle = (child: ChildProcess) => {
    idle.set(child, setTimeout(disconnect, IDLE_MS, child));
    if (stopping.aborted) disconnect(child);
  };
  const start = () => {
    const child = fork(process.argv[1] ?? "", [JOBS_ARGUMENT], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    // A failed start is told by the send of its first job, and by this event, which unheard would end this process.
    child.on("error", (error) => log.warn({ err: error }, "a process for a job cannot be reached"));
    // A process whose event loop is blocked notices no signal, nor that this process has ended.
    const kill = () => child.kill("SIGKILL");
    child.once("spawn", () => process.once("exit", kill)).once("exit", () => process.off("exit", kill));
    // The channel may outlive the process.
    return child.once("exit", () => cancelIdle(child));
  };
  stopping.addEventListener("abort", () => [...idle.keys()].forEach(disconnect));
  return async (job, request, yieldSignal) => {
    const idleChild = [...idle.keys()].find(({ connected }) => connected);
    if (idleChild) cancelIdle(idleChild);
    const child = idleChild ?? start();
    const end = await assignJob(child, { job, request }, { stopping, yieldSignal });
    if (end === "ended" && child.connected) keepIdle(child);
    return end;
  };
}

/** Assigns a job to a process and waits for its end. Throws when the process ended for another reason than the job. */
async function assignJob(
  child: ChildProcess,
  given: GivenJob,
  { stopping, yieldSignal }: Record<"stopping" | "yieldSignal", AbortSignal>,
): Promise<"ended" | "died"> {
  let hasStarted = false;
  const { promise, resolve, reject } = Promise.withResolvers<"ended" | "died">();
  const onMessage = (message: JobMessage) => (message === "started" ? (hasStarted = true) : resolve("ended"));
  const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
    if (code === 0 || (hasStarted && code !== EXIT_TEMPFAIL)) return resolve(code === 0 ? "ended" : "died");
    const when = hasStarted ? "after" : "before";
    reject(new Error(`The process of a job ended ${when} it started the job (${signal ?? `code ${code}`}).`));
  };
  const terminate = () => child.kill("SIGTERM");
  // A process that cannot be told has ended, or is about to.
  const sendYield = () => child.send(YIELD, () => undefined);
  child.on("message", onMessage).once("exit", onExit).once("error", reject);
  stopping.addEventListener("abort", terminate);
  yieldSignal.addEventListener("abort", sendYield);
  try {
    child.send(given, (error) => error && reject(error));
    return await promise;
  } finally {
    child.off("message", onMessage).off("exit", onExit).off("error", reject);
    stopping.removeEventListener("abort", terminate);
    yieldSignal.removeEventListener("abort", sendYield);
  }
}

/** Whether this process is a job process of a worker. */
export function isJobProcess([argument]: readonly string[] = process.argv.slice(2)): boolean {
  return argument === JOBS_ARGUMENT;
}

/** Runs the jobs that the worker assigns, in the worker's name, until the worker disconnects. */
export function runJobProcess(functions: readonly InngestFunction.Any[]): void {
  // Without its worker it no longer owns its job.
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
  let yieldController = new AbortController();
  process.on("message", (message: GivenJob | typeof YIELD) => {
    if (message === YIELD) return yieldController.abort();
    yieldController = new AbortController();
    void runJob(engine, message, yieldController.signal);
  });
}

async function runJob(engine: Engine, { job, request }: GivenJob, yieldSignal: AbortSignal): Promise<void> {
  report("started");
  try {
    await runFunction({ ...engine, stopping: AbortSignal.any([engine.stopping, yieldSignal]) }, job, request);
    // The worker may end this process at any moment from here on.
    await Promise.all([shutDown(Promise.resolve()), closeTraces()]);
  } catch (error) {
    log.warn({ err: error, run_id: request.run_id }, "a job process could not run its job");
    process.exit(EXIT_TEMPFAIL);
  }
  if (!isHeapHalfFull() && !engine.stopping.aborted) return report("ended");
  await closeDatabase();
  process.exit(0);
}

/** Does nothing when the worker is gone. */
function report(message: JobMessage): void {
  process.send?.(message, () => undefined);
}

/** Whether a job has left so much memory in use that the next one could run out of it. */
function isHeapHalfFull(): boolean {
  return process.memoryUsage().heapUsed > getHeapStatistics().heap_size_limit / 2;
}
