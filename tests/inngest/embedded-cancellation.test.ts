import { afterAll, beforeAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { startEngine, Trace } from "@/tests/inngest/support/engine-under-test";

// An Inngest server handles events side by side, so one that cancels can overtake the one that starts.
const trace = new Trace();
/** Runs that may go on. */
const woken = new Set<unknown>();

const waiting = inngest.createFunction(
  { id: "waiting", triggers: { event: "cancel/start" }, cancelOn: [{ event: "cancel/stop", match: "data.key" }] },
  async ({ event, step }) => {
    do await step.sleep("nap", "1s");
    while (!(await step.run("woken", () => woken.has(event.data.key))));
    await step.run("go on", () => trace.add(event.data.key, "end"));
  },
);

/** Has begun when the event has done what it does to other runs. */
const stopped = inngest.createFunction({ id: "stopped", triggers: { event: "cancel/stop" } }, ({ event }) =>
  trace.add("stops", event.data.key),
);

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startEngine([waiting, stopped]);
});
afterAll(() => stop());

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
