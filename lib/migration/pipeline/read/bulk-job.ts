import type { RunKey } from "@/lib/migration/migration-schema";
import { setTimeout as sleep } from "node:timers/promises";

import { log } from "@/lib/log";
import { readByRest, storeBulkProgress, takeLeftJobs } from "@/lib/migration/pipeline/bulk-progress";
import type { BulkProgress, ObjectProgressRow } from "@/lib/migration/pipeline/progress";
import { createQueryJob, deleteQueryJob, readQueryJob } from "@/lib/salesforce/bulk-query";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { quoted, SalesforceError } from "@/lib/salesforce/errors";
import { select, type Select, soqlString } from "@/lib/salesforce/query";

/**
 * Records of one job. Each job is a range of ids in their order, so the checkpoint is the last id as over REST, and a
 * lost job is created again behind it. Salesforce does not divide ordered queries into chunks by itself.
 */
export const MAX_JOB_RECORDS = 500_000;

/** A failed job is repeated for a quarter of its records. After this many in a row, REST reads the rest. */
const MAX_FAILED_JOBS = 3;

/** A job that takes longer is stuck. */
const MAX_JOB_MS = 30 * 60_000;

const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [250, 30_000];

/** What a job selects, besides the range of ids. */
export type BulkSelect = Pick<Select, "from" | "fields" | "where">;

/**
 * `complete`: its results can be read · `pending`: ask again after a time · `rest`: REST reads the rest · `overtaken`:
 * the run was stopped, or another worker has created a job meanwhile.
 */
export type Preparation =
  | { status: "complete"; progress: BulkProgress }
  | { status: "pending"; milliseconds: number }
  | { status: "rest" | "overtaken" };

/** Creates the next job of an object, or asks after the one that there is; waits for it until `deadline` at most. */
export async function prepareJob(
  { client, run }: { client: SalesforceClient; run: RunKey },
  row: ObjectProgressRow,
  read: BulkSelect,
  deadline: number,
): Promise<Preparation> {
  const progress = progressOf(row);
  try {
    for (;;) {
      if (progress.ended) return { status: "rest" };
      progress.job ??= await createJob({ client, run }, row, read, progress);
      if (!progress.job) return { status: "overtaken" };
      if (progress.job.records !== null) return { status: "complete", progress };
      const pause = await pollJob({ client, run }, row, progress);
      if (pause === 0) continue;
      if (performance.now() + pause >= deadline) return { status: "pending", milliseconds: pause };
      await sleep(pause);
    }
  } catch (error) {
    const next = await recoverBulk({ client, run }, row, progress, error);
    return next ? { status: "pending", milliseconds: MIN_PAUSE_MS } : { status: "rest" };
  }
}

function progressOf({ bulk_job: stored }: ObjectProgressRow): BulkProgress {
  return stored ?? { job: null, limit: MAX_JOB_RECORDS, failures: 0, ended: false };
}

/** Null: the run was stopped, or another worker has created a job meanwhile. */
async function createJob(
  { client, run }: { client: SalesforceClient; run: RunKey },
  { object, checkpoint }: ObjectProgressRow,
  read: BulkSelect,
  progress: BulkProgress,
): Promise<BulkProgress["job"]> {
  const where = [...(read.where ?? []), ...(checkpoint === null ? [] : [`Id > ${soqlString(checkpoint)}`])];
  const soql = select({ from: read.from, fields: read.fields, where, orderBy: "Id", limit: progress.limit });
  const id = await createQueryJob(client, soql);
  const job = { id, created_at: new Date().toISOString(), requested: progress.limit, records: null, locator: null };
  if (await storeBulkProgress(run, object, null, { ...progress, job })) return job;
  await deleteQuietly(client, id);
  return null;
}

/** Asks after a job once. Returns the pause until the next time, 0 if it is complete. Throws if it failed. */
async function pollJob(
  { client, run }: { client: SalesforceClient; run: RunKey },
  { object }: ObjectProgressRow,
  progress: BulkProgress,
): Promise<number> {
  const { job } = progress;
  if (!job) return 0;
  const { state, numberRecordsProcessed, errorMessage } = await readQueryJob(client, job.id);
  if (state === "Failed" || state === "Aborted") throw jobFailed(state, errorMessage ?? null);
  if (state === "JobComplete") {
    job.records = numberRecordsProcessed;
    await storeBulkProgress(run, object, job.id, progress);
    return 0;
  }
  const age = Date.now() - Date.parse(job.created_at);
  if (age > MAX_JOB_MS) throw jobFailed("still in progress after half an hour", null);
  return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, age / 2));
}

function jobFailed(state: string, message: string | null): SalesforceError {
  const detail = `The job of the Bulk API is ${state}${message ? `: ${quoted(message)}` : "."}`;
  return new SalesforceError("source_error", detail, { errorCode: "JOB_FAILED" });
}

/** The job is gone, or its results cannot be had any more: it expired, was deleted, or has another API version. */
const LOST_CODES = new Set(["INVALIDJOB", "INVALIDJOBSTATE", "INVALID_QUERY_LOCATOR", "NOT_FOUND", "JOB_FAILED"]);

function isJobLost({ errorCode, status }: SalesforceError): boolean {
  return status === 404 || status === 409 || LOST_CODES.has(errorCode ?? "");
}

/** Refusals of one request, unlike those that concern the whole org or its access. */
const REFUSALS = new Set(["source_error", "source_not_salesforce", "source_access_denied"]);

/**
 * Goes on after an error of the Bulk API: with a new, smaller job behind the checkpoint if the job is lost, else by
 * REST (null), which meets its own errors. Throws errors that REST would meet too.
 */
export async function recoverBulk(
  { client, run }: { client: SalesforceClient; run: RunKey },
  { object }: Pick<ObjectProgressRow, "object">,
  progress: BulkProgress,
  error: unknown,
): Promise<BulkProgress | null> {
  if (!(error instanceof SalesforceError) || error.transient || !REFUSALS.has(error.code)) throw error;
  const { job } = progress;
  const failures = progress.failures + 1;
  log.warn({ object, failures, error_code: error.errorCode }, "a job of the Bulk API failed");
  if (job) await deleteQuietly(client, job.id);
  if (job && isJobLost(error) && failures < MAX_FAILED_JOBS) {
    const next = { job: null, limit: Math.ceil(progress.limit / 4), failures, ended: false };
    await storeBulkProgress(run, object, job.id, next);
    return next;
  }
  await readByRest(run, object, job?.id ?? null, `Bulk API 2.0 could not read it. ${error.message}`);
  return null;
}

/** Ends a job whose records are all stored. If it was full, another follows; else REST confirms the end. */
export async function finishJob(
  { client, run }: { client: SalesforceClient; run: RunKey },
  { object }: Pick<ObjectProgressRow, "object">,
  progress: BulkProgress,
): Promise<void> {
  const { job } = progress;
  if (!job) return;
  await deleteQuietly(client, job.id);
  const ended = (job.records ?? 0) < job.requested;
  await storeBulkProgress(run, object, job.id, { ...progress, job: null, failures: 0, ended });
}

/** Deletes the jobs of a run that has ended before they were read. */
export async function deleteLeftJobs(run: RunKey, open: () => Promise<SalesforceClient>): Promise<void> {
  const ids = await takeLeftJobs(run);
  if (ids.length === 0) return;
  const client = await open();
  for (const id of ids) await deleteQuietly(client, id);
}

/** Salesforce deletes what is left behind after seven days. */
async function deleteQuietly(client: SalesforceClient, id: string): Promise<void> {
  await deleteQueryJob(client, id).catch((error: unknown) =>
    log.warn({ err: error }, "a job of the Bulk API could not be deleted"),
  );
}
