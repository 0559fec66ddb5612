import { z } from "zod";

import { failRun } from "@/inngest/engine/fail-run";
import { findHeldJob, type HeldJob } from "@/inngest/engine/held-jobs";
import { limitBroken } from "@/inngest/engine/limits";
import { countSteps, memoise } from "@/inngest/engine/memoise";
import { readOps, sentOps } from "@/inngest/engine/read-ops";
import { forgive } from "@/inngest/engine/run-alone";
import { addJob } from "@/inngest/engine/queue/add-job";
import { finishJob } from "@/inngest/engine/queue/finish-job";
import { transaction } from "@/lib/db";

const sentCheckpoint = z.object({ qi_id: z.string(), steps: sentOps });

/**
 * `POST /v1/checkpoint/<run>/async`: memoises the steps that a function has just finished. 409 tells the SDK to stop calling the
 * function: the run was cancelled, broke a limit, was taken over, or is handed over because this worker stops.
 */
export async function acceptCheckpoint(request: Request): Promise<Response> {
  const checkpoint = sentCheckpoint.parse(await request.json());
  const job = findHeldJob(checkpoint.qi_id);
  const goOn = job !== undefined && (await store(job, checkpoint.steps));
  return goOn ? Response.json({}) : Response.json({ error: "The call is stale.", status: 409 }, { status: 409 });
}

type Outcome = "stored" | "handed over" | "stale";

async function store(job: HeldJob, steps: z.infer<typeof sentOps>): Promise<boolean> {
  const { finished, next } = readOps(steps);
  const outcome = await transaction<Outcome>(async (db) => {
    const { rows } = await db.query<{ state: string }>({
      name: "jobs-hold",
      text: `select r.state from graphile_worker._private_jobs j join job_runs r on r.id = $3
             where j.id = $1 and j.locked_by = $2 for share`,
      values: [job.id, job.holder, job.request.run_id],
    });
    if (rows[0]?.state !== "running") return "stale";
    const fault = next.do === "fail" ? next.error : limitBroken(job, finished);
    if (fault) {
      await failRun(db, job.request.run_id, fault);
      return "stale";
    }
    await memoise(db, job.request.run_id, finished);
    if (job.isSuspect && finished.length > 0) await forgive(db, job.request.run_id);
    if (!job.stopping.aborted) return "stored";
    await finishJob(db, job);
    await addJob(db, "run-function", job.request, { queue: job.queue });
    return "handed over";
  });
  // Only what is committed has happened: the SDK sends a checkpoint that failed again.
  if (outcome !== "stale") countSteps(job, finished);
  if (outcome === "handed over") job.handedOver = true;
  return outcome === "stored";
}
