import type { GetStepTools } from "inngest";
import { afterAll, beforeAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { startEngine, Trace } from "@/tests/inngest/support/engine-under-test";

const trace = new Trace();
/** Runs that may go on. */
const woken = new Set<unknown>();

/** What sleeps in short naps until it is woken, so that no clock decides what comes first. */
async function sleepUntilWoken(step: GetStepTools<typeof inngest>, key: unknown): Promise<void> {
  do await step.sleep("nap", "1s");
  while (!(await step.run("woken", () => woken.has(key))));
}

const waiting = inngest.createFunction(
  { id: "waiting", triggers: { event: "cancel/start" }, cancelOn: [{ event: "cancel/stop", match: "data.key" }] },
  async ({ event, step }) => {
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
  async ({ event, step }) => {
    await step.run("begin", () => trace.add(event.data.key, "begin"));
    await sleepUntilWoken(step, event.data.key);
    trace.add(event.data.key, "end");
  },
);

const busy = inngest.createFunction(
  { id: "busy", triggers: { event: "cancel/busy" }, cancelOn: [{ event: "cancel/stop", match: "data.key" }] },
  async ({ event, step }) => {
    await step.run("under way", async () => {
      trace.add(event.data.key, "begin");
      await inngest.send({ name: "cancel/stop", data: { key: event.data.key } });
      await inngest.send({ name: "cancel/witness", data: { key: `${event.data.key} witness` } });
      await trace.has(`${event.data.key} witness`, "seen");
    });
    await step.run("next", () => trace.add(event.data.key, "end"));
  },
);

const witness = inngest.createFunction({ id: "witness", triggers: { event: "cancel/witness" } }, ({ event }) =>
  trace.add(event.data.key, "seen"),
);

/** Has begun when the event has done what it does to other runs. */
const stopped = inngest.createFunction({ id: "stopped", triggers: { event: "cancel/stop" } }, ({ event }) =>
  trace.add("stops", event.data.key),
);

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startEngine([waiting, conditional, busy, witness, stopped]);
});
afterAll(() => stop());

test("a sleeping run is cancelled by the event that matches it, and no other run is", async () => {
  await inngest.send(["gone", "stays"].map((key) => ({ name: "cancel/start", data: { key } })));
  await trace.has("gone", "begin");
  await trace.has("stays", "begin");
  await inngest.send({ name: "cancel/stop", data: { key: "gone" } });
  await trace.has("stops", "gone");
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
  await trace.has("stops", "nobody");
  for (const key of ["n1", "n9", "later conditional"]) woken.add(key);
  await trace.has("n9", "end");
  await inngest.send({ name: "cancel/conditional", data: { key: "later conditional", n: 9 } });
  await trace.has("later conditional", "end");
  expect(trace.of("n1")).toEqual(["begin"]);
});

test("a cancelled run whose step is under way takes no further step", async () => {
  await inngest.send({ name: "cancel/busy", data: { key: "busy" } });
  await trace.has("busy witness", "seen");
  woken.add("after busy");
  await inngest.send({ name: "cancel/start", data: { key: "after busy" } });
  await trace.has("after busy", "end");
  expect(trace.of("busy")).toEqual(["begin"]);
});

test("a cancellation right behind the start reaches the run it is meant for", async () => {
  const keys = Array.from({ length: 20 }, (_, n) => `swift ${n}`);
  for (const key of keys) {
    await inngest.send([
      { name: "cancel/start", data: { key } },
      { name: "cancel/stop", data: { key } },
    ]);
  }
  for (const key of keys) await trace.has("stops", key);
  for (const key of [...keys, "swift later"]) woken.add(key);
  await inngest.send({ name: "cancel/start", data: { key: "swift later" } });
  await trace.has("swift later", "end");
  expect(keys.flatMap((key) => trace.of(key))).not.toContain("end");
});
