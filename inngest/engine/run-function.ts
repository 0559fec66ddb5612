import type { Inngest, InngestFunction } from "inngest";
import { serve } from "inngest/edge";

import { type Answer, readAnswer } from "@/inngest/engine/answer";
import type { FunctionDefinition } from "@/inngest/engine/function-definition";
import { type Backoff, settle } from "@/inngest/engine/settle";
import { type ForkJob, runIsolated } from "@/inngest/engine/isolate";
import { isTakenInVain, type RunRequest, type TakenJob } from "@/inngest/engine/queue/jobs";
import { type HeldJob, whileHolding, loadRun, type Run, heldJobKey, isStuck } from "@/inngest/engine/run";
import { inWork, isTracing, metrics, startSpan } from "@/lib/observability/instruments";

/** What a worker needs to run functions. */
export interface Engine {
  definitions: ReadonlyMap<string, FunctionDefinition>;
  invoke: Invoke;
  backoff: Backoff;
  stopping: AbortSignal;
  /** Starts job processes. Without it every run stays in this process. */
  fork?: ForkJob;
}

/** Runs one call of a function, from the stored run to the stored outcome. */
export async function runFunction(engine: Engine, taken: TakenJob, request: RunRequest): Promise<void> {
  // A step that never ends would else occupy one place of the worker, or one process, after another.
  if (isStuck(taken) && !isTakenInVain(taken))
    throw new Error(`This worker, or its separate process, still runs the job ${taken.id}.`);
  const run = await loadRun(request.run_id);
  if (!run) return;
  if (run.isSuspect && engine.fork && !isTakenInVain(taken)) return runIsolated(engine.fork, taken, run, request);
  const job: HeldJob = {
    ...taken,
    queue: run.queue,
    functionId: run.functionId,
    request,
    takenAt: performance.now(),
    steps: run.steps.length,
    bytes: run.steps.reduce((sum, step) => sum + Buffer.byteLength(step.value), 0),
    stopping: engine.stopping,
    isSuspect: run.isSuspect,
  };
  await whileHolding(job, () => observeCall(job, run, () => callOnce(engine, job, run)));
}

/** Calls the function and stores the outcome. */
async function callOnce(engine: Engine, job: HeldJob, run: Run): Promise<Answer> {
  const definition = engine.definitions.get(run.functionId);
  const maxAttempts = definition?.maxAttempts ?? 1;
  // Another version of the service may have it: the job returns to the queue.
  if (!definition && !isTakenInVain(job)) throw new Error(`This worker has no function ${run.functionId}.`);
  const answer = isTakenInVain(job) ? TAKEN_IN_VAIN : await readAnswer(await engine.invoke(job, run, maxAttempts));
  if (job.endedAs !== "continue") await settle(job, answer, { maxAttempts, backoff: engine.backoff });
  return answer;
}

/** Counts and traces one call of a function, and names its run in every log line of it. */
async function observeCall(job: HeldJob, run: Run, call: () => Promise<Answer>): Promise<void> {
  const started = performance.now();
  const span = isTracing() ? startSpan(`job ${run.functionId}`, "consumer", traceparentIn(run.event)) : undefined;
  const counted = metrics();
  counted?.jobsRunning.inc();
  let outcome = "error";
  try {
    const answer = await inWork({ run_id: run.id, traceparent: span?.traceparent }, call);
    // The SDK answers a call that a checkpoint has ended with an error.
    outcome = job.endedAs ?? answer.next.do;
  } finally {
    counted?.jobsRunning.dec();
    counted?.jobCalls.observe({ function: run.functionId, outcome }, (performance.now() - started) / 1000);
    const hasFailed = outcome === "error" || outcome === "fail" || outcome === "retry";
    const { step } = job.request;
    span?.end(
      { "crm.function": run.functionId, "crm.run_id": run.id, "crm.step": step, "crm.outcome": outcome },
      hasFailed,
    );
  }
}

/** The span that requested the job (inngest/client.ts). */
function traceparentIn(event: string): string | undefined {
  const { data } = JSON.parse(event) as { data?: { traceparent?: unknown } | null };
  return typeof data?.traceparent === "string" ? data.traceparent : undefined;
}

const TAKEN_IN_VAIN: Answer = {
  finished: [],
  planned: [],
  next: {
    do: "fail",
    error: {
      name: "WorkerCrashed",
      message:
        "The job was started again and again without progress: its worker crashed each time, or did not have the " +
        "function, or its step never ended.",
    },
  },
};

/** Calls a function once. */
export type Invoke = (job: HeldJob, run: Run, maxAttempts: number) => Promise<Response>;

const HANDLER_URL = "http://embedded.invalid/api/inngest";

/** Calls the SDK's own handler in this process, with the request that an Inngest server would send. */
export function createInvoke(client: Inngest.Any, functions: readonly InngestFunction.Any[]): Invoke {
  const handler = serve({ client, functions: [...functions] });
  return (job, run, maxAttempts) => {
    const query = new URLSearchParams({ fnId: job.functionId, stepId: job.request.step });
    const headers = { host: "embedded.invalid", "content-type": "application/json" };
    return handler(
      new Request(`${HANDLER_URL}?${query}`, { method: "POST", headers, body: requestBody(job, run, maxAttempts) }),
    );
  };
}

/** Event and steps are already JSON. */
function requestBody(job: HeldJob, run: Run, maxAttempts: number): string {
  const ctx = {
    run_id: run.id,
    fn_id: run.functionId,
    attempt: job.request.attempt,
    max_attempts: maxAttempts,
    qi_id: heldJobKey(job),
    disable_immediate_execution: false,
    use_api: false,
    env: "embedded",
    step_id: "step",
    stack: { stack: run.steps.map((step) => step.id), current: run.steps.length },
  };
  const steps = run.steps.map((step) => `${JSON.stringify(step.id)}:${step.value}`).join(",");
  const { event } = run;
  return `{"ctx":${JSON.stringify(ctx)},"event":${event},"events":[${event}],"steps":{${steps}},"use_api":false}`;
}
