import type { Inngest, InngestFunction } from "inngest";
import { serve } from "inngest/edge";

import { heldJobKey, type HeldJob } from "@/inngest/engine/held-jobs";
import type { Run } from "@/inngest/engine/load-run";

/** Calls a function once. */
export type Invoke = (job: HeldJob, run: Run, maxAttempts: number) => Promise<Response>;

const URL_OF_HANDLER = "http://embedded.invalid/api/inngest";

/** The SDK's own handler, called in this process with the request that an Inngest server would send. */
export function createInvoke(client: Inngest.Any, functions: readonly InngestFunction.Any[]): Invoke {
  const handler = serve({ client, functions: [...functions] });
  return (job, run, maxAttempts) => {
    const query = new URLSearchParams({ fnId: job.functionId, stepId: job.request.step });
    const headers = { host: "embedded.invalid", "content-type": "application/json" };
    return handler(new Request(`${URL_OF_HANDLER}?${query}`, { method: "POST", headers, body: requestBody(job, run, maxAttempts) }));
  };
}

/** Event and steps are JSON already, and stay so. */
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
  return `{"ctx":${JSON.stringify(ctx)},"event":${run.event},"events":[${run.event}],"steps":{${steps}},"use_api":false}`;
}
