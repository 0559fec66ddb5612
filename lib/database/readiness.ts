import { setTimeout } from "node:timers/promises";

import { pool } from "@/lib/database/db";

/** Longer than a request waits for a connection even on a busy machine; in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;

// Next evaluates modules once per bundle; one process asks once.
const holder = globalThis as typeof globalThis & { crmReadiness?: Promise<boolean> | undefined };

/**
 * Whether PostgreSQL answers within ten seconds over the pool that requests use. Never rejects. However many ask at the
 * same time, one statement is under way: strangers ask too.
 */
export function isReady(): Promise<boolean> {
  holder.crmReadiness ??= check().finally(() => (holder.crmReadiness = undefined));
  return holder.crmReadiness;
}

async function check(): Promise<boolean> {
  const isAnswered = pool()
    .query("SELECT 1")
    .then(
      () => true,
      () => false,
    );
  return Promise.race([isAnswered, setTimeout(ANSWER_TIMEOUT_MS, false, { ref: false })]);
}
