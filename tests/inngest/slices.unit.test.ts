import { expect, test } from "vitest";

import { workInSlices } from "@/inngest/functions/slices";
import { newId } from "@/lib/ids";

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
