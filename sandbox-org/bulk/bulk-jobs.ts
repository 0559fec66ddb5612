import { idAt } from "../generator/ids";
import { notFound } from "../server/api-error";
import type { Column, Delimiter, LineEnding } from "./csv";

type JobState = "UploadComplete" | "InProgress" | "JobComplete" | "Aborted" | "Failed";

export interface BulkJob {
  readonly id: string;
  readonly operation: "query" | "queryAll";
  readonly object: string;
  readonly apiVersion: number;
  readonly createdDate: number;
  readonly columnDelimiter: Delimiter;
  readonly lineEnding: LineEnding;
  readonly columns: readonly Column[];
  /** The records of the result, chosen when the job is created: later changes move no locator. */
  readonly ordinals: Uint32Array;
  readonly failure: string | null;
  state: JobState;
  polls: number;
}

export type NewJob = Omit<BulkJob, "id" | "createdDate" | "state" | "polls">;

export class BulkJobs {
  created = 0;
  private readonly jobs = new Map<string, BulkJob>();

  constructor(private readonly seed: number) {}

  create(job: NewJob): BulkJob {
    const id = idAt(this.seed, "750", this.created++);
    const created: BulkJob = {
      ...job,
      id,
      createdDate: Date.now(),
      state: "UploadComplete",
      polls: 0,
    };
    this.jobs.set(id, created);
    return created;
  }

  get all(): BulkJob[] {
    return [...this.jobs.values()];
  }

  find(id: string): BulkJob {
    const job = this.jobs.get(id) ?? this.all.find((one) => one.id.startsWith(id) && id.length === 15);
    if (!job) throw notFound();
    return job;
  }

  objectOf(id: string): string | null {
    return this.jobs.get(id)?.object ?? null;
  }

  remove(job: BulkJob): void {
    this.jobs.delete(job.id);
  }

  /** Forgets all jobs, as Salesforce does after seven days. */
  expire(): void {
    this.jobs.clear();
  }

  /** Advances the job. Jobs progress with each poll, not with time, so that tests see every state. */
  poll(job: BulkJob, pollsToComplete: number): void {
    if (job.state !== "UploadComplete" && job.state !== "InProgress") return;
    job.polls += 1;
    if (job.polls < pollsToComplete) job.state = "InProgress";
    else job.state = job.failure === null ? "JobComplete" : "Failed";
  }
}
