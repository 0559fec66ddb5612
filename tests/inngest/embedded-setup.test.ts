import { afterAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { startWorker, type Worker } from "@/inngest/worker";
import { Trace } from "@/tests/inngest/support/engine-under-test";
import { prepareDatabase } from "@/scripts/postgres/prepare-database";
import { pool } from "@/tests/support/owner";

const trace = new Trace();
const early = inngest.createFunction({ id: "early", triggers: { event: "setup/early" } }, ({ event }) =>
  trace.add("early", event.data.n),
);

let workers: Worker[] = [];
afterAll(() => Promise.all(workers.map((worker) => worker.stop())));

test("on a new database several processes send events before any worker starts, and none is lost", async () => {
  await Promise.all([1, 2, 3].map((n) => inngest.send({ name: "setup/early", data: { n } })));
  workers = await Promise.all([startWorker({ functions: [early] }), startWorker({ functions: [early] })]);
  for (const n of [1, 2, 3]) await trace.has("early", n);
  expect(trace.of("early")).toHaveLength(3);
});

test("preparing a database again, from several machines at once, changes nothing", async () => {
  const { DATABASE_OWNER_URL: ownerUrl = "", DATABASE_URL: runtimeUrl } = process.env;
  const prepared = { applied: [], runtimeUrl };
  const prepare = () => prepareDatabase(ownerUrl, { runtimeUrl, secrets: ["any"] });
  expect(await Promise.all([prepare(), prepare(), prepare()])).toEqual([prepared, prepared, prepared]);
  const { rows } = await pool().query<{ n: number }>("select count(*)::int as n from job_runs");
  expect(rows[0]?.n).toBe(3);
});
