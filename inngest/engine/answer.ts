import { z } from "zod";

export interface FinishedStep {
  id: string;
  /** As memoised: {"data": …} or {"error": …}. */
  value: string;
  /** Why its last attempt failed. The function may catch that. */
  error?: JobError;
}

export interface PlannedStep {
  id: string;
  /** Milliseconds to sleep, or null for a step to run. */
  waitMs: number | null;
}

/** The outcome of one call of a function. */
export interface Answer {
  finished: FinishedStep[];
  planned: PlannedStep[];
  next:
    | { do: "continue" }
    | { do: "complete"; output: string }
    | { do: "fail"; error: JobError }
    | { do: "retry"; error: JobError; retryAfter: string | null };
}

/** An error as the engine stores it and `inngest/function.failed` carries it. */
export interface JobError {
  name: string;
  message: string;
  stack?: string;
}

/** Reads an error that the SDK serialised. */
function jobErrorOf(value: unknown): JobError {
  if (typeof value !== "object" || value === null) return { name: "Error", message: String(value) };
  const { name, message, error, stack, ...rest } = value as Record<string, unknown>;
  return {
    ...rest,
    name: typeof name === "string" ? name : "Error",
    message: String(message ?? error ?? "Unknown error"),
    ...(typeof stack === "string" && { stack }),
  };
}

/** Reads the response of the SDK's handler: 206 is a list of operations, 200 a result, anything else an error. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const retryAfter = response.headers.get("retry-after");
  if (response.status === 206) return readOps(sentOps.parse(JSON.parse(text)), retryAfter);
  if (response.status === 200) return { finished: [], planned: [], next: { do: "complete", output: text } };
  const error = jobErrorOf(parseJsonOrText(text));
  const isFinal = response.headers.get("x-inngest-no-retry") === "true";
  return { finished: [], planned: [], next: isFinal ? { do: "fail", error } : { do: "retry", error, retryAfter } };
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const sentOps = z.array(
  z.object({
    id: z.string().min(1),
    op: z.string(),
    name: z.string().nullish(),
    displayName: z.string().nullish(),
    data: z.unknown().default(null),
    error: z.unknown().optional(),
    opts: z.looseObject({ parallelMode: z.unknown().optional() }).nullish(),
  }),
);

type Op = z.infer<typeof sentOps>[number];

/** Sorts the operations of one response or checkpoint: finished steps, planned steps, and what comes next. */
export function readOps(ops: readonly Op[], retryAfter: string | null = null): Answer {
  const answer: Answer = { finished: [], planned: [], next: { do: "continue" } };
  for (const op of ops) readOp(op, answer, retryAfter);
  return answer;
}

function readOp(op: Op, answer: Answer, retryAfter: string | null): void {
  switch (op.op) {
    case "StepRun":
      answer.finished.push({ id: op.id, value: JSON.stringify({ data: op.data }) });
      return;
    case "StepFailed": {
      const error = jobErrorOf(op.error);
      answer.finished.push({ id: op.id, value: JSON.stringify({ error }), error });
      return;
    }
    case "StepError":
      answer.next = { do: "retry", error: jobErrorOf(op.error), retryAfter };
      return;
    case "RunComplete":
      answer.next = { do: "complete", output: JSON.stringify(op.data) };
      return;
    case "StepPlanned":
    case "Sleep":
      readPlanned(op, answer);
      return;
    default:
      answer.next = unsupported(`${op.op} (the step "${op.displayName ?? op.id}")`);
  }
}

function readPlanned(op: Op, answer: Answer): void {
  if (op.opts?.parallelMode)
    answer.next = unsupported(`a race between parallel steps (the step "${op.displayName ?? op.id}")`);
  const planned: PlannedStep = { id: op.id, waitMs: op.op === "Sleep" ? parseDuration(op.name ?? "") : null };
  answer.planned.push(planned);
}

function unsupported(what: string): Answer["next"] {
  const message =
    `The embedded job engine does not support ${what}. Write the function without it, or run jobs on an Inngest ` +
    "server.";
  return { do: "fail", error: { name: "UnsupportedStep", message } };
}

const UNITS: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

const DURATION = /^(?:\d+[wdhms])+$/;

/** Milliseconds to wait: the SDK writes "1h30m" for `step.sleep` and an ISO date for `step.sleepUntil`. Throws else. */
export function parseDuration(duration: string, now: number = Date.now()): number {
  if (duration === "") return 0;
  if (DURATION.test(duration)) {
    return [...duration.matchAll(/(\d+)([wdhms])/g)].reduce(
      (sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ""] ?? 0),
      0,
    );
  }
  const until = Date.parse(duration);
  if (Number.isNaN(until)) throw new Error(`"${duration}" is neither a duration nor a date.`);
  return Math.max(0, until - now);
}
