import { RetryAfterError } from "inngest";
import { expect, test } from "vitest";

import { attemptSlice, workInSlices } from "@/inngest/functions/slices";
import { newId } from "@/lib/ids";
import { SalesforceError } from "@/lib/salesforce/errors";

test("work that takes more steps than a run may have is left to another run, instead of failing", async () => {
  const steps = new Set<string>();
  const unfinished = { run: async (id: string) => (steps.add(id), "more" as const) };
  expect(await workInSlices(unfinished, newId(), async () => "more")).toBe("more");
  expect(steps.size).toBeGreaterThan(500);
  expect(steps.size).toBeLessThan(1000);
});

test("work ends with the slice that ends it", async () => {
  const steps: string[] = [];
  const step = { run: (id: string, work: () => Promise<"more" | "ended">) => (steps.push(id), work()) };
  expect(await workInSlices(step, newId(), async () => (steps.length < 3 ? "more" : "ended"))).toBe("ended");
  expect(steps).toEqual(["slice-0", "slice-1", "slice-2"]);
});

test("a fault is retried after the time that the source asks for, until the last attempt ends the work", async () => {
  const away = new SalesforceError("source_unreachable", "Away.", { transient: true, retryAfter: 90 });
  const ended: unknown[] = [];
  const attempted = (attempt: number) =>
    attemptSlice(
      { attempt, maxAttempts: 3 },
      async (error) => void ended.push(error),
      async () => Promise.reject(away),
    ).catch((error: unknown) => error);
  for (const attempt of [0, 1]) {
    const thrown = await attempted(attempt);
    expect(thrown).toBeInstanceOf(RetryAfterError);
    expect(thrown).toMatchObject({ message: "The Salesforce org was away.", retryAfter: "90", cause: away });
  }
  expect(ended).toEqual([]);
  expect(await attempted(2)).toBe("ended");
  expect(ended).toEqual([away]);
});
