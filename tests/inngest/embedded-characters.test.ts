import { afterAll, beforeAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { startEngine, Trace } from "@/tests/inngest/support/engine-under-test";

// An Inngest server replaces characters that no text can have, such as half of a surrogate pair.
const TEXT = 'a \u0000 and a \ud800, a \\ and a " and an \u{1f600}';

const trace = new Trace();

const echo = inngest.createFunction({ id: "echo", triggers: { event: "events/echo" } }, async ({ event, step }) => {
  const first = await step.run("first", () => ({ text: event.data.text as string, list: [1, null, "ü"] }));
  await step.run("second", () => trace.add("echo", JSON.stringify([event.data, first])));
  trace.add("echo", "end");
});

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startEngine([echo]);
});
afterAll(() => stop());

test("events and values of steps are unchanged, whatever characters they contain", async () => {
  const data = { text: TEXT, nested: [null, { deep: 1.5 }] };
  await inngest.send({ name: "events/echo", data });
  await trace.has("echo", "end");
  expect(trace.of("echo")).toEqual([JSON.stringify([data, { text: TEXT, list: [1, null, "ü"] }]), "end"]);
});

test("an event that is too large is refused with its size", async () => {
  await expect(inngest.send({ name: "events/echo", data: { text: "x".repeat(600 * 1024) } })).rejects.toThrow(/bytes/);
});
