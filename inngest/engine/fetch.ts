import { createHash } from "node:crypto";

import { z } from "zod";

import { readOps, sentOps } from "@/inngest/engine/answer";
import { type JobEvent, storeEvents } from "@/inngest/engine/events";
import { clearDeaths } from "@/inngest/engine/isolate";
import { addJob, finishJob } from "@/inngest/engine/queue/jobs";
import { TAKEABLE } from "@/inngest/engine/queue/watch-queue";
import { failRun, findHeldJob, type HeldJob } from "@/inngest/engine/run";
import { exceededLimit, countSteps, memoise } from "@/inngest/engine/settle";
import { transaction } from "@/lib/database/db";
import { newId } from "@/lib/ids";

/**
 * The seam between the SDK and the engine: it stores in PostgreSQL what the Inngest client would send to a server. It
 * answers the two calls that the SDK makes for our functions. Any other call gets 501, so that no feature fails
 * silently.
 */
export async function engineFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { pathname } = new URL(request.url);
  if (request.method === "POST" && pathname.startsWith("/e/")) return acceptEvents(request);
  if (request.method === "POST" && /^\/v1\/checkpoint\/[^/]+\/async$/.test(pathname)) return acceptCheckpoint(request);
  return Response.json(
    { error: `The embedded job engine does not support ${request.method} ${pathname}.`, status: 501 },
    { status: 501 },
  );
}

/** As an Inngest server has it, so that a function which runs here runs there. */
const MAX_EVENT_BYTES = 512 * 1024;

/** Tolerance for clocks. The engine does not support events that start later. */
const MAX_AHEAD_MS = 60_000;

const sentEvents = z.array(
  z.object({
    id: z.string().min(1).optional(),
    name: z.string().min(1),
    data: z.unknown(),
    ts: z.number().int(),
    v: z.string().optional(),
  }),
);

/** `POST /e/<key>`: stores the events of `client.send` and `step.sendEvent`, and returns their ids. */
async function acceptEvents(request: Request): Promise<Response> {
  const parsed = sentEvents.safeParse(await request.json());
  if (!parsed.success) return errorResponse(400, `The events are not valid: ${z.prettifyError(parsed.error)}`);
  // The SDK retries a failed call with the same seed. Ids derived from it keep events from being stored twice.
  const seed = request.headers.get("x-inngest-event-id-seed") ?? newId();
  const events = parsed.data.map(({ id, name, data, ts, v }, index): JobEvent => ({
    id: id ?? derivedId(seed, index),
    name,
    data,
    ts,
    v,
  }));
  for (const event of events) {
    if (Buffer.byteLength(JSON.stringify(event)) > MAX_EVENT_BYTES)
      return errorResponse(413, `The event ${event.name} has more than ${MAX_EVENT_BYTES} bytes.`);
    if (event.ts > Date.now() + MAX_AHEAD_MS)
      return errorResponse(400, `The event ${event.name} is for a later time; let its function sleep instead.`);
  }
  await transaction((db) => storeEvents(db, events));
  return Response.json({ ids: events.map((event) => event.id), status: 200 });
}

function derivedId(seed: string, index: number): string {
  return createHash("sha256").update(`${seed}:${index}`).digest("hex").slice(0, 32);
}

function errorResponse(status: number, error: string): Response {
  return Response.json({ ids: [], status, error }, { status });
}

const sentCheckpoint = z.object({ qi_id: z.string(), steps: sentOps });

/**
 * `POST /v1/checkpoint/<run>/async`: memoises steps that have just finished. 409 tells the SDK to stop calling the
 * function: the run was cancelled, exceeded a limit, belongs to another worker, or is handed over because this worker
 * stops, others wait, or its job was held too long or taken too often.
 */
export async function acceptCheckpoint(request: Request): Promise<Response> {
  const checkpoint = sentCheckpoint.parse(await request.json());
  const job = findHeldJob(checkpoint.qi_id);
  const continues = job !== undefined && (await storeCheckpoint(job, checkpoint.steps));
  return continues ? Response.json({}) : Response.json({ error: "The call is stale.", status: 409 }, { status: 409 });
}

/**
 * A run that has had its place in the worker for so long leaves it to a job that nobody has taken for a second. Else a
 * few long migrations would keep those of all other organizations waiting until they end.
 */
const TURN_MS = 5000;

/** graphile-worker gives a job to another worker once it has been locked for four hours. */
const MAX_HOLD_MS = 3_600_000;

/**
 * graphile-worker puts off what fails by the takes of its job: 18 minutes after seven, six hours after ten. So a run
 * that gets further leaves a job that was taken more often, by workers that died, to a new one.
 */
const MAX_TAKES_OF_ONE_JOB = 3;

const HOLD = `select r.state, $4 and exists (
    select from ${TAKEABLE} and run_at < now() - interval '1 second'
  ) as others_wait
  from graphile_worker._private_jobs held join job_runs r on r.id = $3
  where held.id = $1 and held.locked_by = $2 and held.attempts = $5 for share of held, r`;

type Outcome = "stored" | "handed over" | "cancelled" | "stale";

function isToBeHandedOver(job: HeldJob, othersWait: boolean, hasProgress: boolean): boolean {
  const isOld = performance.now() - job.takenAt >= MAX_HOLD_MS;
  return job.stopping.aborted || othersWait || isOld || (hasProgress && job.takes > MAX_TAKES_OF_ONE_JOB);
}

async function storeCheckpoint(job: HeldJob, steps: z.infer<typeof sentOps>): Promise<boolean> {
  const { finished, next } = readOps(steps);
  const outcome = await transaction<Outcome>(async (db) => {
    const isTurnOver = performance.now() - job.takenAt >= TURN_MS;
    const { rows } = await db.query<{ state: string; others_wait: boolean }>({
      name: "jobs-hold",
      text: HOLD,
      values: [job.id, job.holder, job.request.run_id, isTurnOver, job.takes],
    });
    if (rows[0]?.state !== "running") return rows[0]?.state === "cancelled" ? "cancelled" : "stale";
    const fault = next.do === "fail" ? next.error : exceededLimit(job, finished);
    if (fault) {
      await failRun(db, job.request.run_id, fault);
      return "stale";
    }
    await memoise(db, job.request.run_id, finished);
    // Progress clears what is counted against a run.
    if (finished.length > 0 && job.isSuspect) await clearDeaths(db, job.request.run_id);
    if (!isToBeHandedOver(job, rows[0].others_wait, finished.length > 0)) return "stored";
    await finishJob(db, job);
    await addJob(db, "run-function", job.request, { queue: job.queue });
    return "handed over";
  });
  // After the commit: the SDK retries a checkpoint that failed.
  if (outcome === "stored" || outcome === "handed over") countSteps(job, finished);
  if (outcome === "handed over") job.endedAs = "continue";
  if (outcome === "cancelled") job.endedAs = "cancelled";
  return outcome === "stored";
}
