import { setTimeout as delay } from "node:timers/promises";

import { expect, test } from "vitest";

import { inngest, registerSender } from "@/inngest/client";
import { startWorker } from "@/inngest/worker";
import { Trace, until } from "@/tests/inngest/support/engine-under-test";

const trace = new Trace();

/** As a migration that goes on for hours, slice by slice. */
const long = inngest.createFunction({ id: "long", triggers: { event: "turns/long" } }, async ({ step }) => {
  for (let slice = 1; slice <= 4; slice += 1)
    await step.run(`slice-${slice}`, async () => {
      trace.add("all", `slice ${slice}`);
      await delay(2000);
    });
});

const short = inngest.createFunction({ id: "short", triggers: { event: "turns/short" } }, async ({ step }) => {
  await step.run("only", async () => trace.add("all", "short"));
});

test("a long run leaves its place to a run that waits, between two of its steps, and then goes on", async () => {
  registerSender();
  await inngest.send([
    { name: "turns/long", data: {} },
    { name: "turns/short", data: {} },
  ]);
  const worker = await startWorker({ functions: [long, short], concurrency: 1, lookInterval: 100 });
  await until("the end", () => trace.of("all").includes("slice 4"));
  await worker.stop();
  const order = trace.of("all");
  expect(order.filter((each) => each !== "short")).toEqual(["slice 1", "slice 2", "slice 3", "slice 4"]);
  // After its turn of five seconds: how many slices that takes depends on the machine.
  const place = order.indexOf("short");
  expect(place).toBeGreaterThan(0);
  expect(place).toBeLessThan(order.length - 1);
});
