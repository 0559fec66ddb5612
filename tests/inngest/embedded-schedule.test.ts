import { afterAll, beforeAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { readDefinitions } from "@/inngest/engine/function-definition";
import { resumeSchedules } from "@/inngest/engine/resume-schedules";
import { cronItems } from "@/inngest/engine/tasks";
import { startEngine, Trace, until } from "@/tests/inngest/support/engine-under-test";
import { pool } from "@/tests/support/owner";

const trace = new Trace();

const nightly = inngest.createFunction(
  { id: "nightly", triggers: [{ cron: "30 2 * * 1-5" }, { event: "schedule/now" }] },
  ({ event }) => trace.add("nightly", `${event.name} ${new Date(event.ts ?? 0).toISOString()}`),
);

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startEngine([nightly]);
});
afterAll(() => stop());

/** What graphile-worker's scheduler does in a minute that matches. */
async function strike(minute: string): Promise<void> {
  const [item] = cronItems(readDefinitions(inngest.id, [nightly]).values());
  const payload = { ...item?.payload, _cron: { ts: minute } };
  await pool().query("select graphile_worker.add_job($1, $2::json)", [item?.task, JSON.stringify(payload)]);
}

test("a schedule is registered with the scheduler, and means what cron means", async () => {
  const known = await until("the scheduler to know it", async () => {
    const { rows } = await pool().query<{ identifier: string }>(
      "select identifier from graphile_worker._private_known_crontabs",
    );
    return rows.length > 0 && rows.map((row) => row.identifier);
  });
  expect(known).toContain("crm-nightly:0");
  const [item] = cronItems(readDefinitions(inngest.id, [nightly]).values());
  expect(item?.match({ min: 30, hour: 2, date: 5, month: 1, dow: 1 })).toBe(true);
  expect(item?.match({ min: 31, hour: 2, date: 5, month: 1, dow: 1 })).toBe(false);
  expect(item?.match({ min: 30, hour: 2, date: 4, month: 1, dow: 0 })).toBe(false);
});

test("a minute starts the function once, however many workers strike it", async () => {
  await strike("2026-01-05T02:30:00.000Z");
  await strike("2026-01-05T02:30:00.000Z");
  await strike("2026-01-06T02:30:00.000Z");
  await trace.has("nightly", "inngest/scheduled.timer 2026-01-06T02:30:00.000Z");
  await until(
    "an empty queue",
    async () => (await pool().query("select 1 from graphile_worker._private_jobs")).rowCount === 0,
  );
  expect(trace.of("nightly").toSorted()).toEqual([
    "inngest/scheduled.timer 2026-01-05T02:30:00.000Z",
    "inngest/scheduled.timer 2026-01-06T02:30:00.000Z",
  ]);
});

/** Whether each item of the scheduler was last executed at a time that is still to come. */
async function areAhead(): Promise<boolean[]> {
  const { rows } = await pool().query<{ is_ahead: boolean }>(
    "select last_execution > now() as is_ahead from graphile_worker._private_known_crontabs",
  );
  return rows.map((row) => row.is_ahead);
}

test("a schedule goes on after the clock of a machine was ahead", async () => {
  await until("the scheduler to know its items", async () => (await areAhead()).length === 2);
  await pool().query("update graphile_worker._private_known_crontabs set last_execution = now() + interval '60 days'");
  expect(await areAhead()).toEqual([true, true]);
  await resumeSchedules();
  expect(await areAhead()).toEqual([false, false]);
});
