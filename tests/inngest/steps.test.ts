import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { startEngine, Trace } from "@/tests/inngest/support/engine-under-test";

const trace = new Trace();

const threeSteps = inngest.createFunction(
  { id: "three-steps", triggers: { event: "steps/three" } },
  async ({ event, step }) => {
    trace.add(event.data.key, "called");
    const first = await step.run("first", () => {
      trace.add(event.data.key, "first");
      return { text: 'a " and a \\, an \u{1f600}', list: [1, null, "ü"] };
    });
    const nothing = await step.run("nothing", () => undefined);
    for (const name of ["x", "y"]) await step.run("same id", () => trace.add(event.data.key, `same:${name}`));
    trace.add(event.data.key, JSON.stringify({ first, nothing }));
    trace.add(event.data.key, "end");
  },
);

const sleeper = inngest.createFunction(
  { id: "sleeper", triggers: { event: "steps/sleep" } },
  async ({ event, step }) => {
    const before = await step.run("before", () => Date.now());
    await step.sleep("a second", "1s");
    await step.sleepUntil("another", new Date(before + 2000));
    trace.add(event.data.key, (await step.run("after", () => Date.now())) - before);
    trace.add(event.data.key, "end");
  },
);

const parallel = inngest.createFunction(
  { id: "parallel", triggers: { event: "steps/parallel" } },
  async ({ event, step }) => {
    const key = event.data.key as string;
    async function part(name: string): Promise<string> {
      return step.run(name, async () => {
        trace.add(key, `start:${name}`);
        // Each part waits for the others to have started, which never happens one after another.
        while (["a", "b", "c"].some((other) => !trace.of(key).includes(`start:${other}`))) await delay(10);
        return name;
      });
    }
    const [parts] = await Promise.all([Promise.all([part("a"), part("b"), part("c")]), step.sleep("meanwhile", "1s")]);
    const chained = await step.run("afterwards", () => parts.join(""));
    trace.add(key, chained);
  },
);

const chains = inngest.createFunction(
  { id: "chains", triggers: { event: "steps/chains" } },
  async ({ event, step }) => {
    const chain = async (name: string) => {
      const one = await step.run(`${name}-1`, () => 1);
      return step.run(`${name}-2`, () => one + 1);
    };
    trace.add(event.data.key, JSON.stringify(await Promise.all([chain("a"), chain("b")])));
  },
);

const sender = inngest.createFunction({ id: "sender", triggers: { event: "steps/send" } }, async ({ event, step }) => {
  const { ids } = await step.sendEvent("send", [
    { name: "steps/sent", data: { key: event.data.key, n: 1 } },
    { name: "steps/sent", data: { key: event.data.key, n: 2 } },
  ]);
  trace.add(event.data.key, `ids:${ids.length}`);
});

const receiver = inngest.createFunction({ id: "receiver", triggers: { event: "steps/sent" } }, async ({ event }) => {
  trace.add(event.data.key, `received:${event.data.n}`);
});

const long = inngest.createFunction({ id: "long", triggers: { event: "steps/long" } }, async ({ event, step }) => {
  for (const part of [1, 2, 3, 4]) {
    await step.run(`part ${part}`, async () => {
      await delay(3500);
      trace.add(event.data.key, part);
    });
  }
  trace.add(event.data.key, "end");
});

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startEngine([threeSteps, sleeper, parallel, chains, sender, receiver, long]);
});
afterAll(() => stop());

test("a finished step is not run again, and its value is unchanged, whatever characters it contains", async () => {
  await inngest.send({ name: "steps/three", data: { key: "three" } });
  await trace.has("three", "end");
  expect(trace.of("three").filter((entry) => entry !== "called")).toEqual([
    "first",
    "same:x",
    "same:y",
    JSON.stringify({ first: { text: 'a " and a \\, an \u{1f600}', list: [1, null, "ü"] }, nothing: null }),
    "end",
  ]);
});

test("a sleep lasts as long as requested, by duration or by date", async () => {
  await inngest.send({ name: "steps/sleep", data: { key: "sleep" } });
  await trace.has("sleep", "end");
  expect(trace.of("sleep")[0]).toBeGreaterThanOrEqual(2000);
});

test("steps found together run together, each once, beside a sleep", async () => {
  await inngest.send({ name: "steps/parallel", data: { key: "parallel" } });
  await trace.has("parallel", "abc");
  expect(trace.of("parallel").toSorted()).toEqual(["abc", "start:a", "start:b", "start:c"]);
});

test("chains of steps side by side all come to their end", async () => {
  await inngest.send({ name: "steps/chains", data: { key: "chains" } });
  await trace.has("chains", "[2,2]");
  expect(trace.of("chains")).toHaveLength(1);
});

test("step.sendEvent sends each event once", async () => {
  await inngest.send({ name: "steps/send", data: { key: "send" } });
  for (const entry of ["ids:2", "received:1", "received:2"]) await trace.has("send", entry);
  expect(trace.of("send")).toHaveLength(3);
});

test("a run goes on beyond the ten seconds that one call of a function may take", async () => {
  await inngest.send({ name: "steps/long", data: { key: "long" } });
  await trace.has("long", "end");
  expect(trace.of("long")).toEqual([1, 2, 3, 4, "end"]);
});
