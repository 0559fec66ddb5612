import { afterAll, beforeAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { purgeJobs } from "@/inngest/engine/tasks";
import { startEngine, Trace, until } from "@/tests/inngest/support/engine-under-test";
import { pool } from "@/tests/support/owner";

const trace = new Trace();

const brief = inngest.createFunction(
  { id: "brief", triggers: { event: "retention/brief" }, concurrency: { limit: 1, key: "event.data.key" } },
  async ({ event, step }) => {
    await step.run("work", () => 1);
    trace.add("ran", event.data.key);
  },
);

const sleeper = inngest.createFunction(
  { id: "sleeper", triggers: { event: "retention/sleeper" } },
  async ({ step }) => {
    await step.run("before", () => 1);
    await step.sleep("long", "30d");
  },
);

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startEngine([brief, sleeper]);
});
afterAll(() => stop());

async function counts(): Promise<Record<string, number>> {
  const { rows } = await pool().query<Record<string, number>>(
    `select (select count(*)::int from job_events) as events, (select count(*)::int from job_runs) as runs,
        (select count(*)::int from job_steps) as steps,
       (select count(*)::int from graphile_worker._private_job_queues) as queues`,
  );
  return rows[0] ?? {};
}

test("runs that finished more than a week ago are purged; younger and unfinished ones stay", async () => {
  await inngest.send([
    { name: "retention/brief", data: { key: "old" } },
    { name: "retention/brief", data: { key: "young" } },
    { name: "retention/sleeper", data: {} },
    { name: "retention/nobody", data: {} },
  ]);
  await until("two finished runs and a sleeping one", async () => {
    const { rows } = await pool().query<{ n: number }>(
      "select count(*)::int as n from job_runs where state = 'completed' or cardinality(planned) = 1",
    );
    return rows[0]?.n === 3;
  });
  await pool().query("update job_events set dispatched_at = now() - interval '8 days' where body not like '%young%'");
  await pool().query(
    "update job_runs r set finished_at = now() - interval '8 days' from job_events e where e.id = r.event_id and " +
      "e.body like '%\"old\"%'",
  );
  await purgeJobs();
  expect(await counts()).toEqual({ events: 2, runs: 2, steps: 2, queues: 0 });
});

test("a concurrency key whose queue was purged works again", async () => {
  await purgeJobs();
  await inngest.send({ name: "retention/brief", data: { key: "again" } });
  await trace.has("ran", "again");
  expect(trace.of("ran")).toContain("again");
});
