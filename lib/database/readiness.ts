import { setTimeout } from "node:timers/promises";

import { pool } from "@/lib/database/db";

/** Longer than a request waits for a connection, even on a busy machine. */
const ANSWER_TIMEOUT_MS = 10_000;

// Next evaluates modules once per bundle, but a process has one check at a time.
const holder = globalThis as typeof globalThis & { crmReadiness?: Promise<boolean> | undefined };

/**
 * Whether PostgreSQL answers within ten seconds over the pool that requests use. Never rejects. Concurrent calls share
 * one statement, because anybody may call the health check.
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
