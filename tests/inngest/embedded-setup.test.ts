import { afterAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { prepareJobs } from "@/inngest/engine/queue/prepare-jobs";
import { startWorker, type Worker } from "@/inngest/worker";
import { pool } from "@/lib/db";
import { Trace } from "@/tests/inngest/engine-under-test";

const trace = new Trace();
const early = inngest.createFunction({ id: "early", triggers: { event: "setup/early" } }, ({ event }) => trace.add("early", event.data.n));

let workers: Worker[] = [];
afterAll(() => Promise.all(workers.map((worker) => worker.stop())));

test("on a new database events may be sent before any worker was started, by several at once, and none is lost", async () => {
  await Promise.all([1, 2, 3].map((n) => inngest.send({ name: "setup/early", data: { n } })));
  workers = await Promise.all([startWorker({ functions: [early] }), startWorker({ functions: [early] })]);
  for (const n of [1, 2, 3]) await trace.has("early", n);
  expect(trace.of("early")).toHaveLength(3);
});

test("preparing the queue again, from several processes, changes nothing", async () => {
  await Promise.all([prepareJobs(pool()), prepareJobs(pool()), prepareJobs(pool())]);
  const { rows } = await pool().query<{ n: number }>("select count(*)::int as n from job_runs");
  expect(rows[0]?.n).toBe(3);
});
