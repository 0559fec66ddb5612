import { NonRetriableError, RetryAfterError } from "inngest";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { inngest } from "@/inngest/client";
import { runEach } from "@/inngest/functions/purge-expired";
import { usesInngestServer } from "@/lib/env";
import { log } from "@/lib/log";
import { startEngine, Trace } from "@/tests/inngest/support/engine-under-test";

const trace = new Trace();
const times = new Map<string, number[]>();

function failure(key: string, text: string): void {
  trace.add(key, text);
  times.set(key, [...(times.get(key) ?? []), Date.now()]);
}

const flakyStep = inngest.createFunction(
  { id: "flaky-step", retries: 3, triggers: { event: "fail/flaky-step" } },
  async ({ event, step, attempt }) => {
    await step.run("steady", () => trace.add(event.data.key, "steady"));
    await step.run("flaky", () => {
      trace.add(event.data.key, `attempt ${attempt}`);
      if (attempt < 2) throw new Error("not yet");
    });
    await step.run("next", () => trace.add(event.data.key, "next"));
  },
);

const flakyBody = inngest.createFunction(
  { id: "flaky-body", retries: 1, triggers: { event: "fail/flaky-body" } },
  async ({ event, step, attempt }) => {
    await step.run("steady", () => trace.add(event.data.key, "steady"));
    if (attempt === 0) throw new Error("outside of any step");
    trace.add(event.data.key, "end");
  },
);

const hopeless = inngest.createFunction(
  {
    id: "hopeless",
    retries: 2,
    triggers: { event: "fail/hopeless" },
    onFailure: async ({ error, event, step }) => {
      const key = event.data.event.data.key as string;
      await step.run("note", () => trace.add(key, `onFailure: ${error.message} of ${event.data.function_id}`));
    },
  },
  async ({ event, step, attempt }) => {
    await step.run("fails", () => {
      trace.add(event.data.key, `attempt ${attempt}`);
      throw new Error("always");
    });
  },
);

const final = inngest.createFunction(
  {
    id: "final",
    retries: 5,
    triggers: { event: "fail/final" },
    onFailure: ({ event, error }) => trace.add(event.data.event.data.key as string, `onFailure: ${error.message}`),
  },
  ({ event }) => {
    trace.add(event.data.key, "called");
    throw new NonRetriableError("the token was refused");
  },
);

const patient = inngest.createFunction(
  { id: "patient", retries: 3, triggers: { event: "fail/patient" } },
  async ({ event, step, attempt }) => {
    await step.run("asks for time", () => {
      failure(event.data.key, `attempt ${attempt}`);
      if (attempt === 0) throw new RetryAfterError("limit", "2s");
      if (attempt === 1) throw new RetryAfterError("limit", new Date(Date.now() + 3000));
    });
  },
);

const caught = inngest.createFunction(
  { id: "caught", retries: 1, triggers: { event: "fail/caught" } },
  async ({ event, step }) => {
    const outcome = await step
      .run("fails", () => {
        trace.add(event.data.key, "tried");
        throw new Error("not that one");
      })
      .catch((error: Error) => `caught: ${error.message}`);
    await step.run("goes on", () => trace.add(event.data.key, outcome));
  },
);

const badParallel = inngest.createFunction(
  { id: "bad-parallel", retries: 1, triggers: { event: "fail/parallel" } },
  async ({ event, step }) => {
    const results = await Promise.allSettled([
      step.run("good", () => "good"),
      step.run("bad", () => {
        trace.add(event.data.key, "tried");
        throw new Error("bad");
      }),
    ]);
    trace.add(event.data.key, results.map((result) => result.status).join());
  },
);

const housekeeping = inngest.createFunction(
  {
    id: "housekeeping",
    retries: 0,
    triggers: { event: "fail/housekeeping" },
    onFailure: ({ event, error }) => trace.add(event.data.event.data.key as string, `onFailure: ${error.message}`),
  },
  ({ event, step }) =>
    runEach(step, {
      first: () => {
        throw new Error("the first");
      },
      second: async () => trace.add(event.data.key, "second"),
    }),
);

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startEngine([flakyStep, flakyBody, hopeless, final, patient, caught, badParallel, housekeeping]);
});
afterAll(() => stop());

test("a step that throws is retried without the steps before it, and the next step counts from zero", async () => {
  await inngest.send({ name: "fail/flaky-step", data: { key: "step" } });
  await trace.has("step", "next");
  expect(trace.of("step")).toEqual(["steady", "attempt 0", "attempt 1", "attempt 2", "next"]);
});

test("a function that throws between its steps is called again and finds its steps done", async () => {
  await inngest.send({ name: "fail/flaky-body", data: { key: "body" } });
  await trace.has("body", "end");
  expect(trace.of("body")).toEqual(["steady", "end"]);
});

/** Collects what the SDK and the embedded engine log as a warning or an error of what failed with this message. */
function logged(failure: string): string[] {
  const lines: string[] = [];
  const keep = (level: string) => (fields: { err?: { message?: unknown } }, text: string) => {
    if (fields.err?.message === failure) lines.push(`${level}: ${text}`);
  };
  const logger = { debug: () => undefined, info: () => undefined, warn: keep("warn"), error: keep("error") };
  vi.spyOn(log, "child").mockReturnValue(logger as never);
  vi.spyOn(log, "warn").mockImplementation(logger.warn as never);
  vi.spyOn(log, "error").mockImplementation(logger.error as never);
  return lines;
}

test("after the last attempt onFailure gets the error and the event", async () => {
  const lines = logged("always");
  await inngest.send({ name: "fail/hopeless", data: { key: "hopeless" } });
  await trace.has("hopeless", "onFailure: always of crm-hopeless");
  expect(trace.of("hopeless").slice(0, 3)).toEqual(["attempt 0", "attempt 1", "attempt 2"]);
  expect(trace.of("hopeless")).toHaveLength(4);
  const again = "warn: job will be retried";
  const told = [again, again, "warn: a step of a job failed", "error: job failed"];
  expect(lines).toEqual(usesInngestServer ? lines : told);
});

test("NonRetriableError ends the run at once", async () => {
  await inngest.send({ name: "fail/final", data: { key: "final" } });
  await trace.has("final", "onFailure: the token was refused");
  expect(trace.of("final")).toEqual(["called", "onFailure: the token was refused"]);
});

test("RetryAfterError is obeyed, as seconds and as a date", async () => {
  await inngest.send({ name: "fail/patient", data: { key: "patient" } });
  await trace.has("patient", "attempt 2");
  const [first = 0, second = 0, third = 0] = times.get("patient") ?? [];
  expect(second - first).toBeGreaterThanOrEqual(1900);
  expect(third - second).toBeGreaterThanOrEqual(1900);
});

test("a step's error can be caught once its attempts are used up, and the run goes on", async () => {
  const lines = logged("not that one");
  await inngest.send({ name: "fail/caught", data: { key: "caught" } });
  await trace.has("caught", "caught: not that one");
  expect(trace.of("caught")).toEqual(["tried", "tried", "caught: not that one"]);
  const told = ["warn: job will be retried", "warn: a step of a job failed"];
  expect(lines).toEqual(usesInngestServer ? lines : told);
});

test("a step that fails beside another leaves the other's result alone", async () => {
  await inngest.send({ name: "fail/parallel", data: { key: "parallel" } });
  await trace.has("parallel", "fulfilled,rejected");
  expect(trace.of("parallel").filter((entry) => entry === "tried")).toHaveLength(2);
});

test("housekeeping runs all steps, also after one has failed, and then the run fails", async () => {
  await inngest.send({ name: "fail/housekeeping", data: { key: "housekeeping" } });
  await trace.has("housekeeping", "onFailure: the first");
  expect(trace.of("housekeeping")).toEqual(["second", "onFailure: the first"]);
});
