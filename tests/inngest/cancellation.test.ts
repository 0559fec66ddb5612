import { afterAll, beforeAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { startEngine, Trace } from "@/tests/inngest/engine-under-test";

const trace = new Trace();

const waiting = inngest.createFunction(
  { id: "waiting", triggers: { event: "cancel/start" }, cancelOn: [{ event: "cancel/stop", match: "data.key" }] },
  async ({ event, step }) => {
    await step.run("begin", () => trace.add(event.data.key, "begin"));
    await step.sleep("wait", "3s");
    await step.run("go on", () => trace.add(event.data.key, "end"));
  },
);

const conditional = inngest.createFunction(
  { id: "conditional", triggers: { event: "cancel/conditional" }, cancelOn: [{ event: "cancel/stop", if: "event.data.n < async.data.below" }] },
  async ({ event, step }) => {
    await step.run("begin", () => trace.add(event.data.key, "begin"));
    await step.sleep("wait", "3s");
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

const witness = inngest.createFunction({ id: "witness", triggers: { event: "cancel/witness" } }, ({ event }) => trace.add(event.data.key, "seen"));

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startEngine([waiting, conditional, busy, witness]);
});
afterAll(() => stop());

test("a sleeping run is cancelled by the event that matches it, and no other run is", async () => {
  await inngest.send(["gone", "stays"].map((key) => ({ name: "cancel/start", data: { key } })));
  await trace.has("gone", "begin");
  await trace.has("stays", "begin");
  await inngest.send({ name: "cancel/stop", data: { key: "gone" } });
  // Started after the cancelled run and as long as that: when it ends, the other would have ended long before.
  await inngest.send({ name: "cancel/start", data: { key: "later" } });
  await trace.has("stays", "end");
  await trace.has("later", "end");
  expect(trace.of("gone")).toEqual(["begin"]);
});

test("a condition compares the run's event with the one that cancels", async () => {
  await inngest.send([1, 9].map((n) => ({ name: "cancel/conditional", data: { key: `n${n}`, n } })));
  await trace.has("n1", "begin");
  await trace.has("n9", "begin");
  await inngest.send({ name: "cancel/stop", data: { key: "nobody", below: 5 } });
  await inngest.send({ name: "cancel/conditional", data: { key: "later conditional", n: 9 } });
  await trace.has("n9", "end");
  await trace.has("later conditional", "end");
  expect(trace.of("n1")).toEqual(["begin"]);
});

test("a cancelled run whose step is under way takes no further step", async () => {
  await inngest.send({ name: "cancel/busy", data: { key: "busy" } });
  await trace.has("busy witness", "seen");
  await inngest.send({ name: "cancel/start", data: { key: "after busy" } });
  await trace.has("after busy", "end");
  expect(trace.of("busy")).toEqual(["begin"]);
});

test("a cancellation right behind the start reaches the run it is meant for", async () => {
  for (let n = 0; n < 20; n++) {
    await inngest.send([
      { name: "cancel/start", data: { key: `swift ${n}` } },
      { name: "cancel/stop", data: { key: `swift ${n}` } },
    ]);
  }
  await inngest.send({ name: "cancel/start", data: { key: "swift later" } });
  await trace.has("swift later", "end");
  expect(Array.from({ length: 20 }, (_, n) => trace.of(`swift ${n}`)).flat()).not.toContain("end");
});
