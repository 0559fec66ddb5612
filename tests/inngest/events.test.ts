import { afterAll, beforeAll, expect, test } from "vitest";

import { inngest, analyzeRequested, registerSender } from "@/inngest/client";
import { transaction } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { requestJobs } from "@/lib/jobs";
import { startEngine, Trace, until } from "@/tests/inngest/support/engine-under-test";

const trace = new Trace();

const counter = inngest.createFunction({ id: "counter", triggers: { event: "events/count" } }, ({ event }) => {
  trace.add(event.data.key, event.id);
  trace.add(event.data.key, "run");
});

const second = inngest.createFunction({ id: "second", triggers: { event: "events/count" } }, ({ event }) =>
  trace.add(event.data.key, "second"),
);

const big = inngest.createFunction(
  { id: "big", triggers: { event: "events/size", if: "event.data.size > 10 && event.data.unit == 'm'" } },
  ({ event }) => trace.add("size", event.data.size),
);

const either = inngest.createFunction(
  { id: "either", triggers: [{ event: "events/a" }, { event: "events/b" }] },
  ({ event }) => trace.add("either", event.name),
);

const analyze = inngest.createFunction({ id: "analyze", triggers: [analyzeRequested] }, ({ event }) =>
  trace.add("analyze", `${event.data.migration_id} ${event.id}`),
);

const echo = inngest.createFunction({ id: "echo", triggers: { event: "events/echo" } }, ({ event }) =>
  trace.add("echo", event.data),
);

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startEngine([counter, second, big, either, analyze, echo]);
});
afterAll(() => stop());

test("events with the same id count once, sent together, one after another, or at the same time", async () => {
  // A server knows the ids of the last day.
  const event = { name: "events/count", id: newId(), data: { key: "dedupe" } };
  await inngest.send([event, event]);
  await Promise.all(Array.from({ length: 8 }, () => inngest.send(event)));
  await trace.has("dedupe", "run");
  await trace.has("dedupe", "second");
  await inngest.send(event);
  await inngest.send({ name: "events/count", data: { key: "dedupe after" } });
  await trace.has("dedupe after", "run");
  expect(trace.of("dedupe").toSorted()).toEqual([event.id, "run", "second"]);
});

test("every function that an event triggers runs once for it", async () => {
  await inngest.send({ name: "events/count", data: { key: "both" } });
  await trace.has("both", "run");
  await trace.has("both", "second");
  expect(trace.of("both")).toHaveLength(3);
});

test("a trigger's condition decides, and a missing key is no match", async () => {
  await inngest.send(
    [{ size: 5, unit: "m" }, { size: 50 }, { unit: "m" }, { size: 20, unit: "m" }].map((data) => ({
      name: "events/size",
      data,
    })),
  );
  await trace.has("size", 20);
  expect(trace.of("size")).toEqual([20]);
});

test("a function may have several triggers", async () => {
  await inngest.send([
    { name: "events/a", data: {} },
    { name: "events/b", data: {} },
  ]);
  await trace.has("either", "events/a");
  await trace.has("either", "events/b");
  expect(trace.of("either")).toHaveLength(2);
});

/** Requests the analysis of a migration, in a transaction that may fail afterwards. */
function ask(id: string, fault?: Error): Promise<void> {
  return transaction(async (client) => {
    const data = { organization_id: newId(), migration_id: id };
    await requestJobs(client, [{ name: "migration/analyze.requested", data, id: `analyze-${id}` }]);
    if (fault) throw fault;
  });
}

test("a capability enqueues a job in its transaction, once, and none if that is rolled back", async () => {
  registerSender();
  const [stored, undone] = [newId(), newId()];
  await expect(ask(undone, new Error("rolled back"))).rejects.toThrow("rolled back");
  await ask(stored);
  await ask(stored);
  await trace.has("analyze", `${stored} analyze-${stored}`);
  expect(trace.of("analyze")).toHaveLength(1);
});

test("an event arrives unchanged, also with quotes, backslashes, letters beyond ASCII and emoji", async () => {
  const text = 'a \\ and a " and a / and <b>, ü ß Ω 漢, an \u{1f600}, \t and \r\n';
  await inngest.send({ name: "events/echo", data: { text, nested: [null, { deep: 1.5 }] } });
  await until("the echo", () => trace.of("echo").length > 0);
  expect(trace.of("echo")).toEqual([{ text, nested: [null, { deep: 1.5 }] }]);
});

test("an event that is too large is refused to its sender", async () => {
  await expect(
    inngest.send({ name: "events/count", data: { key: "large", text: "x".repeat(600 * 1024) } }),
  ).rejects.toThrow(/bytes|large|size|413|limit/i);
});
