import { AppError } from "@/lib/errors";
import type { ExportKind } from "@/lib/operation";
import { KeyedSemaphore, Semaphore } from "@/lib/semaphore";

/** What a slot is for. A file is read for as long as its client takes, and must not stop other requests meanwhile. */
type SlotKind = "requests" | "downloads of files";

/**
 * Of each kind. It is half of a process's connections to PostgreSQL (lib/database/db.ts): slow requests of one
 * organization leave the others room. Downloads of files hold none while they are read.
 */
const MAX_CONCURRENT = 10;

/** A waiting request occupies its connection and its head; its body has not been read. */
const MAX_WAITING = 200;

/**
 * Writes of all organizations that are carried out at a time. A write takes several round trips to PostgreSQL, and for
 * each of them waits for its turn on the event loop. If all went on at once, every read would wait behind all of them,
 * and none of them would end sooner (`docs/decisions/0063-reads-before-writes.md`).
 */
const MAX_WRITES = 4;

/**
 * A write that takes longer waits for something else than its turn, such as a lock in its organization. It then makes
 * room for those of others.
 */
const MAX_WRITE_SLOT_MS = 500;

/** Downloads of any length, which are read for as long as their clients take. */
const MAX_EXPORTS: Record<ExportKind, number> = { list: 3, organization: 1 };

const EXPORTS_FULL: Record<ExportKind, string> = {
  list:
    `This organization has ${MAX_EXPORTS.list} downloads of lists in progress. Wait until one of them has ended, or ` +
    "cancel one, and try again.",
  organization:
    "All data of this organization is being exported already, perhaps by another admin. Wait until that download has " +
    "ended, or cancel it, and try again.",
};

interface State {
  /** By kind and organization. */
  semaphores: KeyedSemaphore;
  writes: Semaphore;
  /** How many exports of each kind each organization has in progress. */
  exports: Map<string, number>;
}

// Next evaluates modules once per bundle; one process counts once.
const holder = globalThis as typeof globalThis & { crmConcurrency?: State };

const state = (holder.crmConcurrency ??= {
  semaphores: new KeyedSemaphore(MAX_CONCURRENT),
  writes: new Semaphore(MAX_WRITES),
  exports: new Map(),
});

/**
 * Waits for one of the organization's slots of a kind in this process, first come, first served, and returns the
 * function that releases it. Throws `too_many_requests` if {@link MAX_WAITING} are waiting already, and when `signal`
 * says that the caller has disconnected.
 */
export async function acquireSlot(
  organizationId: string,
  signal: AbortSignal,
  kind: SlotKind = "requests",
): Promise<() => void> {
  // Nobody reads this refusal; it only must not be logged as a defect.
  if (signal.aborted) throw queueFull(kind);
  const semaphore = state.semaphores.of(`${kind} ${organizationId}`);
  if (semaphore.waiting >= MAX_WAITING) throw queueFull(kind);
  return semaphore.acquire(signal).catch(() => {
    throw queueFull(kind);
  });
}

/**
 * Carries out a write when fewer than {@link MAX_WRITES} of this process are. Call it when the request has been read,
 * so that a slow upload occupies no slot. Throws `too_many_requests` when `signal` says that the caller has
 * disconnected before.
 */
export async function inWriteSlot<Result>(signal: AbortSignal, write: () => Promise<Result>): Promise<Result> {
  const release = await state.writes.acquire(signal).catch(() => {
    throw queueFull();
  });
  const timer = setTimeout(release, MAX_WRITE_SLOT_MS);
  try {
    return await write();
  } finally {
    clearTimeout(timer);
    release();
  }
}

/**
 * As {@link acquireSlot}, for an export, which would hold a slot of ordinary requests for minutes. None waits: throws
 * `too_many_requests` if the organization has {@link MAX_EXPORTS} of this kind in progress.
 */
export function acquireExportSlot(organizationId: string, kind: ExportKind): () => void {
  const key = `${organizationId} ${kind}`;
  const count = state.exports.get(key) ?? 0;
  if (count >= MAX_EXPORTS[kind]) throw new AppError("too_many_requests", EXPORTS_FULL[kind], { retryAfter: 10 });
  state.exports.set(key, count + 1);
  return () => {
    const left = (state.exports.get(key) ?? 1) - 1;
    if (left > 0) state.exports.set(key, left);
    else state.exports.delete(key);
  };
}

function queueFull(kind: SlotKind = "requests"): AppError {
  const detail =
    `This organization has ${MAX_CONCURRENT} ${kind} in flight and ${MAX_WAITING} waiting. Try again in 1 second, ` +
    "and send fewer at a time.";
  return new AppError("too_many_requests", detail, { retryAfter: 1 });
}
