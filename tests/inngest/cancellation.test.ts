import type { GetStepTools } from "inngest";
import { afterAll, beforeAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { startEngine, Trace, untilCancelled } from "@/tests/inngest/support/engine-under-test";

const trace = new Trace();
/** The ids of runs that have begun. */
const runs = new Map<unknown, string>();
/** Runs that may go on. */
const woken = new Set<unknown>();

/** What sleeps in short naps until it is woken, so that no clock decides what comes first. */
async function sleepUntilWoken(step: GetStepTools<typeof inngest>, key: unknown): Promise<void> {
  do await step.sleep("nap", "1s");
  while (!(await step.run("woken", () => woken.has(key))));
}

const waiting = inngest.createFunction(
  { id: "waiting", triggers: { event: "cancel/start" }, cancelOn: [{ event: "cancel/stop", match: "data.key" }] },
  async ({ event, step, runId }) => {
    runs.set(event.data.key, runId);
    await step.run("begin", () => trace.add(event.data.key, "begin"));
    await sleepUntilWoken(step, event.data.key);
    await step.run("go on", () => trace.add(event.data.key, "end"));
  },
);

const conditional = inngest.createFunction(
  {
    id: "conditional",
    triggers: { event: "cancel/conditional" },
    cancelOn: [{ event: "cancel/stop", if: "event.data.n < async.data.below" }],
  },
  async ({ event, step, runId }) => {
    runs.set(event.data.key, runId);
    await step.run("begin", () => trace.add(event.data.key, "begin"));
    await sleepUntilWoken(step, event.data.key);
    trace.add(event.data.key, "end");
  },
);

const busy = inngest.createFunction(
  { id: "busy", triggers: { event: "cancel/busy" }, cancelOn: [{ event: "cancel/stop", match: "data.key" }] },
  async ({ event, step, runId }) => {
    await step.run("under way", async () => {
      trace.add(event.data.key, "begin");
      await inngest.send({ name: "cancel/stop", data: { key: event.data.key } });
      await untilCancelled(runId);
      trace.add(event.data.key, "cancelled");
    });
    await step.run("next", () => trace.add(event.data.key, "end"));
  },
);

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startEngine([waiting, conditional, busy]);
});
afterAll(() => stop());

test("a sleeping run is cancelled by the event that matches it, and no other run is", async () => {
  await inngest.send(["gone", "stays"].map((key) => ({ name: "cancel/start", data: { key } })));
  await trace.has("gone", "begin");
  await trace.has("stays", "begin");
  await inngest.send({ name: "cancel/stop", data: { key: "gone" } });
  await untilCancelled(runs.get("gone"));
  for (const key of ["gone", "stays", "later"]) woken.add(key);
  await trace.has("stays", "end");
  // Naps once more: when it ends, the cancelled run would have ended long before.
  await inngest.send({ name: "cancel/start", data: { key: "later" } });
  await trace.has("later", "end");
  expect(trace.of("gone")).toEqual(["begin"]);
});

test("a condition compares the run's event with the one that cancels", async () => {
  await inngest.send([1, 9].map((n) => ({ name: "cancel/conditional", data: { key: `n${n}`, n } })));
  await trace.has("n1", "begin");
  await trace.has("n9", "begin");
  await inngest.send({ name: "cancel/stop", data: { key: "nobody", below: 5 } });
  await untilCancelled(runs.get("n1"));
  for (const key of ["n1", "n9", "later conditional"]) woken.add(key);
  await trace.has("n9", "end");
  await inngest.send({ name: "cancel/conditional", data: { key: "later conditional", n: 9 } });
  await trace.has("later conditional", "end");
  expect(trace.of("n1")).toEqual(["begin"]);
});

test("a cancelled run whose step is under way takes no further step", async () => {
  await inngest.send({ name: "cancel/busy", data: { key: "busy" } });
  await trace.has("busy", "cancelled");
  woken.add("after busy");
  await inngest.send({ name: "cancel/start", data: { key: "after busy" } });
  await trace.has("after busy", "end");
  expect(trace.of("busy")).toEqual(["begin", "cancelled"]);
});
