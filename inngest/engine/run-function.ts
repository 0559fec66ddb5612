import type { Answer } from "@/inngest/engine/answer";
import type { FunctionDefinition } from "@/inngest/engine/function-definition";
import { type HeldJob, whileHolding } from "@/inngest/engine/held-jobs";
import type { Invoke } from "@/inngest/engine/invoke";
import { loadRun, type Run } from "@/inngest/engine/load-run";
import type { RunRequest } from "@/inngest/engine/queue/add-job";
import { readAnswer } from "@/inngest/engine/read-answer";
import { type Fork, runAlone, type TakenJob } from "@/inngest/engine/run-alone";
import type { Backoff } from "@/inngest/engine/retry-delay";
import { settle } from "@/inngest/engine/settle";

/** A job that was taken up so often without an end brings its process down, or its function is gone: the run fails rather than hang. */
const MAX_CRASHES = 20;

/** What a worker knows about functions. */
export interface Engine {
  definitions: ReadonlyMap<string, FunctionDefinition>;
  invoke: Invoke;
  backoff: Backoff;
  stopping: AbortSignal;
  /** Absent where there is nothing to have a process of its own: there every run is carried out here. */
  fork?: Fork;
}

/** Carries out one call of a function, from the stored run to the stored answer. */
export async function runFunction(engine: Engine, taken: TakenJob, request: RunRequest): Promise<void> {
  const run = await loadRun(request.run_id);
  if (!run) return;
  if (run.isSuspect && engine.fork && taken.takes <= MAX_CRASHES) return runAlone(engine.fork, taken, run, request);
  const job: HeldJob = {
    id: taken.id,
    holder: taken.holder,
    queue: run.queue,
    functionId: run.functionId,
    request,
    steps: run.steps.length,
    bytes: run.steps.reduce((sum, step) => sum + Buffer.byteLength(step.value), 0),
    stopping: engine.stopping,
    isSuspect: run.isSuspect,
    handedOver: false,
  };
  await whileHolding(job, async () => {
    const definition = engine.definitions.get(run.functionId);
    const maxAttempts = definition?.maxAttempts ?? 1;
    const answer = taken.takes > MAX_CRASHES ? gaveUp(taken.takes) : await call(engine, job, run, definition);
    if (!job.handedOver) await settle(job, answer, { maxAttempts, backoff: engine.backoff });
  });
}

async function call(engine: Engine, job: HeldJob, run: Run, definition: FunctionDefinition | undefined): Promise<Answer> {
  // Another version of the service may know it: the job goes back and waits.
  if (!definition) throw new Error(`This worker has no function ${run.functionId}.`);
  return readAnswer(await engine.invoke(job, run, definition.maxAttempts));
}

function gaveUp(takes: number): Answer {
  const message = `The job was begun ${takes - 1} times and its worker never came to an end: it crashed, or lacked the function.`;
  return { finished: [], planned: [], next: { do: "fail", error: { name: "WorkerCrashed", message } } };
}
