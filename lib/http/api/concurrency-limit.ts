import { AppError } from "@/lib/errors";
import { Semaphore } from "@/lib/semaphore";

/**
 * Half of the connections to PostgreSQL that a process has (lib/database/db.ts): however slow what one organization
 * asks for is, the others go on.
 */
const MAX_CONCURRENT = 10;

/** A request that waits holds its connection and its head; its body has not been read. */
const MAX_WAITING = 200;

interface State {
  /** By organization. */
  lines: Map<string, Semaphore>;
  /** By request id: what is to happen when its answer has been sent, or its connection has ended. */
  answers: Map<string, (() => void)[]>;
}

// Next evaluates modules once per bundle; one process counts once.
const holder = globalThis as typeof globalThis & { crmConcurrency?: State };

const state = (holder.crmConcurrency ??= { lines: new Map(), answers: new Map() });

/**
 * Waits until an organization may have one more request in hand in this process, first come, first served, and gives
 * what ends it. Throws `too_many_requests` where {@link MAX_WAITING} wait already, and when `signal` says that the
 * caller has gone meanwhile.
 */
export async function acquireSlot(organizationId: string, signal: AbortSignal): Promise<() => void> {
  // Nobody reads the refusal, and it is no defect of ours to be logged.
  if (signal.aborted) throw queueFull();
  const line = state.lines.get(organizationId) ?? new Semaphore(MAX_CONCURRENT);
  if (line.waiting >= MAX_WAITING) throw queueFull();
  state.lines.set(organizationId, line);
  const release = await line.acquire(signal).catch(() => {
    throw queueFull();
  });
  return () => {
    release();
    if (line.isIdle) state.lines.delete(organizationId);
  };
}

/** Expects {@link responseSent} for a request, since its answer is in hand for as long as nobody has read it. */
export function trackResponse(requestId: string): void {
  state.answers.set(requestId, []);
}

/** Does `work` when the answer of a request has been sent; at once where nobody says when that is, or it has been. */
export function onResponseSent(requestId: string, work: () => void): void {
  const answer = state.answers.get(requestId);
  if (answer) answer.push(work);
  else work();
}

/** Says that a request's answer has been sent, or that its connection has ended. */
export function responseSent(requestId: string): void {
  const answer = state.answers.get(requestId) ?? [];
  state.answers.delete(requestId);
  for (const work of answer) work();
}

function queueFull(): AppError {
  const detail =
    `This organization has ${MAX_CONCURRENT} requests in hand and ${MAX_WAITING} that wait. Try again in 1 second, ` +
    "and send fewer at a time.";
  return new AppError("too_many_requests", detail, { retryAfter: 1 });
}
