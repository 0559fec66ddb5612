import { afterEach, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { WORKER_ARGS } from "@/scripts/service/supervisor/process-args";
import { startOwnDatabase } from "@/tests/faults/support/own-database";
import { Writers } from "@/tests/faults/support/writers";
import { callerWith } from "@/tests/http/support/call-api";
import { restartWebs } from "@/tests/http/support/two-webs";
import { isExhaustive } from "@/tests/support/exhaustive";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";
import { openWebhook } from "@/tests/webhooks/support/own-webhook";
import { keepRunning, stopProcesses, untilSettled } from "@/tests/webhooks/support/struck-processes";

const RESTARTS = isExhaustive ? (["immediate", "fast", "immediate"] as const) : (["immediate", "fast"] as const);
const WRITERS = 4;
/** Accounts that all writers create between two restarts. */
const BETWEEN = 30;
const PATIENCE_MS = 600_000;

afterEach(stopProcesses);

async function count(text: string): Promise<number> {
  return (await pool().query<{ count: number }>(`SELECT count(*)::int AS count FROM ${text}`)).rows[0]?.count ?? 0;
}

/** Each worker that is at work holds a lock of this kind. */
function countAtWork(): Promise<number> {
  return count("pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted");
}

test(
  "a database that is restarted under load loses or doubles no acknowledged write, no event, and no worker",
  async () => {
    await using database = await startOwnDatabase();
    await restartWebs();
    await using receiver = await WebhookReceiver.start();
    registerSender();
    const context = await createContext();
    const call = callerWith(await createAccessToken(context));
    await openWebhook(context, { url: receiver.url });
    const workers = ["worker 1", "worker 2"].map((worker) => keepRunning(worker, WORKER_ARGS));
    // One that is still starting may end, and is started again.
    await expect.poll(countAtWork, { timeout: PATIENCE_MS }).toBeGreaterThanOrEqual(workers.length);
    const before = workers.map(({ pid }) => pid());

    const writers = new Writers(call, WRITERS);
    const untilMoreAreWritten = async () => {
      const goal = writers.acknowledged.length + BETWEEN;
      await expect.poll(() => writers.acknowledged.length, { timeout: PATIENCE_MS }).toBeGreaterThan(goal);
    };
    for (const mode of RESTARTS) {
      await untilMoreAreWritten();
      await database.restart(mode);
    }
    await untilMoreAreWritten();
    await writers.stop();

    const { rows: accounts } = await pool().query<{ name: string }>("SELECT name FROM accounts");
    const [names, { acknowledged, refused, refusals }] = [accounts.map(({ name }) => name), writers];
    expect(new Set(names).size).toBe(names.length);
    expect(acknowledged.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !acknowledged.includes(name) && !refused.includes(name))).toEqual([]);
    expect(refusals.size).toBeGreaterThan(0);
    expect([...refusals].filter((refusal) => !refusal.startsWith("5"))).toEqual([]);

    await untilSettled("deliveries", () => count("webhook_deliveries WHERE state = 'pending'"));
    const { rows: events } = await pool().query<{ id: string }>("SELECT id FROM events");
    const received = new Set(receiver.received.map(({ id }) => id));
    expect(events.length).toBe(names.length);
    expect(events.filter(({ id }) => !received.has(id))).toEqual([]);
    expect(workers.map(({ pid }) => pid())).toEqual(before);
    expect(await count("job_runs WHERE deaths > 0")).toBe(0);
  },
  PATIENCE_MS,
);
