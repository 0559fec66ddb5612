import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import type { Context } from "@/lib/context";
import { eventPayload } from "@/lib/event-format";
import { escalateCase } from "@/lib/records/escalate-case";
import { createOperation, deleteOperation, updateOperation } from "@/lib/records/operations";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { generateSecret } from "@/lib/webhooks/endpoints/webhook-secret";
import { freePort } from "@/scripts/service/free-port";
import { WORKER_ARGS } from "@/scripts/service/supervisor/process-args";
import { run } from "@/tests/records/support/write-operations";
import { compiledProgram } from "@/tests/support/compiled-programs";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import type { Receipt } from "@/tests/webhooks/fixtures/receipt";

import { openWebhook } from "@/tests/webhooks/support/own-webhook";
import { keepRunning, stopProcesses, strike, untilSettled } from "@/tests/webhooks/support/struck-processes";

/** CHAOS_CHANGES=20000 for the whole of it. */
const CHANGES = Number(process.env.CHAOS_CHANGES ?? 2000);
/** In each round both processes are killed once: every few seconds. */
const CHANGES_PER_ROUND = 500;
const LANES = 10;
/** So many that nothing is given up, however long the receiver is away. */
const WEBHOOK_RETRY_SECONDS = ["1", "1", ...Array<string>(60).fill("2")].join(",");
const RECEIVER = compiledProgram("failing-receiver");
const TIMEOUT_MS = 180_000 + CHANGES * 60;

afterEach(stopProcesses);

async function count(text: string, { organizationId }: Pick<WebhookKey, "organizationId">): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${text} AND organization_id = $1`,
    [organizationId],
  );
  return rows[0]?.count ?? 0;
}

/** Five at a time: an account, its new name, a case, its escalation, and the account's end. */
async function changeRecords(context: Context, changes: number): Promise<void> {
  for (let left = changes; left > 0; left -= 5) {
    const { id } = await run(createOperation("accounts"), context, NEEDED.accounts);
    await run(updateOperation("accounts"), context, { id, name: `Alpine Tools ${left}` });
    const opened = await run(createOperation("cases"), context, NEEDED.cases);
    await run(escalateCase, context, { id: opened.id, reason: "It burns" });
    await run(deleteOperation("accounts"), context, { id });
  }
}

interface Attempt {
  event_id: string;
  number: number;
  second: number;
  status: number | null;
}

async function attemptsAt({ organizationId }: WebhookKey): Promise<Attempt[]> {
  const text = `SELECT event_id, number, floor(extract(epoch FROM attempted_at))::int AS second, status
      FROM webhook_attempts
    WHERE organization_id = $1 ORDER BY event_id, number`;
  return (await pool().query<Attempt>(text, [organizationId])).rows;
}

async function eventsOf({ organizationId }: WebhookKey): Promise<Map<string, string>> {
  const text = `SELECT e.id, ${eventPayload("e")} AS body FROM events e WHERE e.organization_id = $1`;
  const { rows } = await pool().query<{ id: string; body: string }>(text, [organizationId]);
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** An attempt as both sides know it. */
function nameOf(id: string, status: number | null): string {
  return `${id} ${status}`;
}

/** The time of an attempt is measured from the start of the worker, and its header has that of the system's clock. */
const CLOCKS_SECONDS = 1;

const isSuccess = ({ status }: { status: number | null }) => status !== null && status < 300;

test(
  `${CHANGES} changes arrive, whatever becomes of receiver and worker: each under one id, signed, and logged as it was`,
  { timeout: TIMEOUT_MS },
  async () => {
    registerSender();
    const folder = await mkdtemp(join(tmpdir(), "crm-chaos-"));
    try {
      const file = join(folder, "receipts");
      await writeFile(file, "");
      const [port, secret, context] = [await freePort(), generateSecret(), await createContext()];
      const receiver = keepRunning("receiver", [RECEIVER, String(port), file, secret]);
      const worker = keepRunning("worker", WORKER_ARGS, { WEBHOOK_RETRY_SECONDS });
      const key = await openWebhook(context, { url: `http://127.0.0.1:${port}/hooks`, secret, events: ["*"] });

      for (let made = 0; made < CHANGES; made += CHANGES_PER_ROUND) {
        await Promise.all([
          ...Array.from({ length: LANES }, () => changeRecords(context, CHANGES_PER_ROUND / LANES)),
          strike(worker, "attempts", () => count("webhook_attempts WHERE true", key)),
          strike(receiver, "requests", async () => (await stat(file)).size),
        ]);
      }
      await untilSettled("deliveries", () => count("webhook_deliveries WHERE state = 'pending'", key));

      const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
      const receipts = lines.map((line) => JSON.parse(line) as Receipt);
      const [events, attempts] = [await eventsOf(key), await attemptsAt(key)];
      expect(events.size).toBeGreaterThanOrEqual(CHANGES);
      expect(new Set(receipts.map(({ does }) => does))).toEqual(
        new Set(["accepts", "breaks off", "fails", "closes", "hangs"]),
      );

      // Every event has arrived, under its id, as it is, signed.
      const arrived = new Set(receipts.filter(isSuccess).map(({ id }) => id));
      expect([...events.keys()].filter((id) => !arrived.has(id))).toEqual([]);
      expect(receipts.filter(({ id, body }) => events.get(id) !== body)).toEqual([]);
      expect(receipts.filter(({ verifiedBy }) => verifiedBy.length < 2)).toEqual([]);

      // The log says so, and nothing that the receiver did not see.
      expect(await count("webhook_deliveries WHERE state = 'delivered'", key)).toBe(events.size);
      const logged = attempts.filter(({ status }) => status !== null);
      const seen = Map.groupBy(receipts, ({ id, status }) => nameOf(id, status));
      const times = Map.groupBy(logged, ({ event_id, status }) => nameOf(event_id, status));
      expect([...times].filter(([name, { length }]) => length > (seen.get(name)?.length ?? 0))).toEqual([]);
      const isSeen = ({ event_id, second, status }: Attempt) =>
        seen.get(nameOf(event_id, status))?.some(({ timestamp }) => Math.abs(timestamp - second) <= CLOCKS_SECONDS);
      expect(logged.filter((attempt) => !isSeen(attempt))).toEqual([]);
      const last = new Map(attempts.map((attempt) => [attempt.event_id, attempt]));
      expect([...last.values()].filter((attempt) => !isSuccess(attempt))).toEqual([]);
      expect(attempts.filter((attempt) => isSuccess(attempt) && last.get(attempt.event_id) !== attempt)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
