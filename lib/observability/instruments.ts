import { AsyncLocalStorage } from "node:async_hooks";

import type { Counter, Gauge, Histogram, Registry } from "prom-client";

/** The work in progress, a request or a call of a job, as its log lines and spans name it. */
export interface Work {
  request_id?: string;
  /** The id of the job's run. */
  run_id?: string;
  /** The span of this work (W3C Trace Context §3.2), if traces are exported. */
  traceparent?: string | undefined;
}

/** What a process counts. `open-metrics.ts` makes it; the names and labels are in `docs/observability.md`. */
export interface Metrics {
  registry: Registry;
  requests: Histogram<"method" | "route" | "status">;
  requestsInFlight: Gauge;
  jobCalls: Histogram<"function" | "outcome">;
  jobsRunning: Gauge;
  /** The most calls of jobs at once. */
  concurrency: Gauge;
  importedRecords: Counter<"object" | "outcome">;
  deliveryAttempts: Histogram<"outcome">;
}

type Attributes = Record<string, string | number | boolean>;

/** What a span does: answers a request, runs a job, or calls somebody (OpenTelemetry, "SpanKind"). */
export type SpanKind = "server" | "consumer" | "client";

/** A part of a trace that has begun. */
export interface Span {
  /** Its name for what it causes (W3C Trace Context §3.2). */
  traceparent: string;
  end(attributes: Attributes, hasFailed: boolean): void;
}

export interface Tracer {
  start(name: string, kind: SpanKind, parent: string | undefined): Span;
  /** Sends what has ended; takes two seconds at most. */
  close(): Promise<void>;
}

// Next evaluates modules once per bundle, but work goes through several, and a process counts and traces once.
const holder = globalThis as typeof globalThis & {
  crmWork?: AsyncLocalStorage<Work>;
  crmMetrics?: Metrics | undefined;
  crmTracer?: Tracer;
};

const storage = (holder.crmWork ??= new AsyncLocalStorage());

/** Runs `run` as part of `work`: whatever it starts belongs to that, too. */
export function inWork<T>(work: Work, run: () => T): T {
  return storage.run(work, run);
}

export function currentWork(): Work | undefined {
  return storage.getStore();
}

/** What every log line of a work says of it; without one, of the work in progress. */
export function namesOfWork(
  { request_id, run_id, traceparent }: Work = storage.getStore() ?? {},
): Record<string, string> {
  return {
    ...(request_id !== undefined && { request_id }),
    ...(run_id !== undefined && { run_id }),
    ...(traceparent !== undefined && { trace_id: traceparent.split("-")[1] ?? "" }),
  };
}

/** Undefined if this process counts nothing, because no METRICS_TOKEN is set. */
export function metrics(): Metrics | undefined {
  return holder.crmMetrics;
}

export function registerMetrics(opened: Metrics | undefined): void {
  holder.crmMetrics = opened;
}

export function registerTracer(tracer: Tracer): void {
  holder.crmTracer = tracer;
}

/** Begins a span below `parent`, or else below the work in progress. Undefined if traces are not exported. */
export function startSpan(name: string, kind: SpanKind, parent = storage.getStore()?.traceparent): Span | undefined {
  return holder.crmTracer?.start(name, kind, parent);
}

/** Whether traces are exported. */
export function isTracing(): boolean {
  return holder.crmTracer !== undefined;
}

/** Sends the spans that have ended, before the process does. */
export async function closeTraces(): Promise<void> {
  await holder.crmTracer?.close();
}
