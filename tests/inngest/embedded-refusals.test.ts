import { afterEach, describe, expect, test } from "vitest";

import { POST } from "@/app/api/inngest/route";
import { inngest } from "@/inngest/client";
import { readDefinitions } from "@/inngest/engine/function-definition";
import { startWorker } from "@/inngest/worker";
import { startEngine, until } from "@/tests/inngest/support/engine-under-test";
import { pool } from "@/tests/support/owner";

type Options = Parameters<typeof inngest.createFunction>[0];

const event = "refusals/event";

function define(options: Partial<Options>): () => unknown {
  const fn = inngest.createFunction({ id: "refused", triggers: { event }, ...options } as Options, () => undefined);
  return () => readDefinitions(inngest.id, [fn]);
}

describe("what the engine does not do is refused when the worker starts", () => {
  test.each<[string, Partial<Options>]>([
    ["throttle", { throttle: { limit: 1, period: "1s" } }],
    ["rateLimit", { rateLimit: { limit: 1, period: "1s" } }],
    ["debounce", { debounce: { period: "1s" } }],
    ["batchEvents", { batchEvents: { maxSize: 2, timeout: "1s" } }],
    ["singleton", { singleton: { mode: "skip" } }],
    ["priority", { priority: { run: "1" } }],
    ["timeouts", { timeouts: { finish: "1m" } }],
    ["idempotency", { idempotency: "event.data.id" }],
    ["optimizeParallelism", { optimizeParallelism: false }],
    ["concurrency", { concurrency: 5 }],
    ["concurrency", { concurrency: { limit: 1, scope: "account", key: "event.data.id" } }],
    ["concurrency", { concurrency: [{ limit: 1 }, { limit: 1, key: "event.data.id" }] }],
    ["cancelOn.timeout", { cancelOn: [{ event: "stop", timeout: "1h" }] }],
    ["no trigger", { triggers: [] }],
    ["the trigger app/*", { triggers: { event: "app/*" } }],
    ["the trigger inngest/function.cancelled", { triggers: { event: "inngest/function.cancelled" } }],
    ["time zone", { triggers: { cron: "TZ=Europe/Berlin 0 9 * * *" } }],
  ])("%s", (named, options) => {
    expect(define(options)).toThrow(named);
  });

  test.each<[string, Partial<Options>]>([
    ["event.data ==", { triggers: { event, if: "event.data ==" } }],
    ["evnt.data.n == 1", { triggers: { event, if: "evnt.data.n == 1" } }],
    ["event.data.n ==", { cancelOn: [{ event: "stop", if: "event.data.n ==" }] }],
    ["event.data.", { concurrency: { limit: 1, key: "event.data." } }],
  ])("the faulty expression %s", (expression, options) => {
    expect(define(options)).toThrow(expression);
  });

  test("a schedule that is no cron expression", async () => {
    const fn = inngest.createFunction({ id: "wrong-cron", triggers: { cron: "every day" } }, () => undefined);
    await expect(startWorker({ functions: [fn] })).rejects.toThrow("crm-wrong-cron");
  });

  test("two functions with the same id", () => {
    const twice = inngest.createFunction({ id: "twice", triggers: { event } }, () => undefined);
    expect(() => readDefinitions(inngest.id, [twice, twice])).toThrow("crm-twice");
  });
});

async function errorOf(functionId: string): Promise<{ name: string; message: string }> {
  return until(`the failure of ${functionId}`, async () => {
    const { rows } = await pool().query<{ error: string }>(
      "select error from job_runs where function_id = $1 and state = 'failed'",
      [functionId],
    );
    return rows[0] && (JSON.parse(rows[0].error) as { name: string; message: string });
  });
}

describe("what the engine meets only in a run fails that run, with a sentence", () => {
  let stop: (() => Promise<void>) | undefined;
  afterEach(() => stop?.());

  test("step.waitForEvent, step.invoke and a race", async () => {
    const waits = inngest.createFunction({ id: "waits", triggers: { event } }, ({ step }) =>
      step.waitForEvent("w", { event: "e", timeout: "1h" }),
    );
    const invokes = inngest.createFunction({ id: "invokes", triggers: { event } }, ({ step }) =>
      step.invoke("i", { function: waits, data: {} }),
    );
    const races = inngest.createFunction({ id: "races", triggers: { event } }, ({ step, group }) =>
      group.parallel(() => Promise.race([step.run("a", () => 1), step.run("b", () => 2)])),
    );
    stop = await startEngine([waits, invokes, races]);
    await inngest.send({ name: event, data: {} });
    expect((await errorOf("crm-waits")).message).toContain("WaitForEvent");
    expect((await errorOf("crm-invokes")).message).toContain("InvokeFunction");
    expect((await errorOf("crm-races")).message).toContain("race");
  });

  test("a step that returns more than 4 MB, and more than 1,000 steps", async () => {
    const large = inngest.createFunction({ id: "large", triggers: { event } }, ({ step }) =>
      step.run("all records", () => "x".repeat(4 * 1024 * 1024)),
    );
    const many = inngest.createFunction({ id: "many", triggers: { event } }, async ({ step }) => {
      for (let n = 0; n < 1001; n++) await step.run(`step ${n}`, () => n);
    });
    stop = await startEngine([large, many]);
    await inngest.send({ name: event, data: {} });
    expect(await errorOf("crm-large")).toMatchObject({ name: "LimitExceeded" });
    expect(await errorOf("crm-many")).toMatchObject({ name: "LimitExceeded" });
  });
});

test("nothing is served at /api/inngest while the embedded engine runs the jobs", async () => {
  const response = await POST(
    new Request("http://localhost/api/inngest?fnId=crm-x&stepId=step", { method: "POST", body: "{}" }),
  );
  expect(response.status).toBe(404);
});
