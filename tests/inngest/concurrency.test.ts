import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { startEngine, Trace, until } from "@/tests/inngest/support/engine-under-test";

const trace = new Trace();
const inside = new Map<string, number>();
const most = new Map<string, number>();

async function busy(key: string, until: () => boolean = () => true): Promise<void> {
  const now = (inside.get(key) ?? 0) + 1;
  inside.set(key, now);
  most.set(key, Math.max(most.get(key) ?? 0, now));
  do await delay(40);
  while (!until());
  inside.set(key, now - 1);
}

const keyed = inngest.createFunction(
  { id: "keyed", concurrency: { key: "event.data.migration_id", limit: 1 }, triggers: { event: "concurrency/keyed" } },
  async ({ event, step }) => {
    const key = event.data.migration_id as string;
    for (const part of ["one", "two"]) await step.run(part, () => busy(key));
    trace.add(key, "done");
  },
);

const meeting = inngest.createFunction(
  { id: "meeting", concurrency: [{ key: "event.data.key", limit: 1 }], triggers: { event: "concurrency/meeting" } },
  async ({ event, step }) => {
    trace.add("meeting", event.data.key);
    // Ends only when a run of the other key is inside at the same time.
    await step.run("meet", () => busy("meeting", () => trace.of("meeting").length === 2));
    trace.add("met", event.data.key);
  },
);

const sleepy = inngest.createFunction(
  { id: "sleepy", concurrency: 1, triggers: { event: "concurrency/sleepy" } },
  async ({ event, step }) => {
    trace.add("sleepy", `start ${event.data.n}`);
    // The first sleeps on until the second has come and gone: for ever, if sleeping took a place.
    if (event.data.n === 1)
      while (!(await step.run("gone", () => trace.of("sleepy").includes("end 2")))) await step.sleep("nap", "1s");
    trace.add("sleepy", `end ${event.data.n}`);
  },
);

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startEngine([keyed, meeting, sleepy]);
});
afterAll(() => stop());

test("no two steps with the same concurrency key run at the same time, and none is left out", async () => {
  await inngest.send(
    Array.from({ length: 12 }, (_, n) => ({
      name: "concurrency/keyed",
      data: { migration_id: n % 2 ? "odd" : "even" },
    })),
  );
  await until("all twelve runs", () => trace.of("odd").length === 6 && trace.of("even").length === 6);
  expect([most.get("odd"), most.get("even")]).toEqual([1, 1]);
});

test("different keys do not wait for one another", async () => {
  await inngest.send([
    { name: "concurrency/meeting", data: { key: "a" } },
    { name: "concurrency/meeting", data: { key: "b" } },
  ]);
  await until("both keys to meet", () => trace.of("met").length === 2);
  expect(most.get("meeting")).toBe(2);
});

test("a sleeping run leaves its place to others", async () => {
  await inngest.send({ name: "concurrency/sleepy", data: { n: 1 } });
  await trace.has("sleepy", "start 1");
  await inngest.send({ name: "concurrency/sleepy", data: { n: 2 } });
  await trace.has("sleepy", "end 1");
  expect(trace.of("sleepy")).toContain("end 2");
});
