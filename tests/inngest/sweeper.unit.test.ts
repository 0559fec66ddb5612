import { expect, test } from "vitest";

import { SWEEPS, startSweeper } from "@/inngest/sweeper";

test("work that was left behind is looked for at least once a minute", () => {
  expect(SWEEPS.filter(({ everyMs }) => everyMs > 60_000)).toEqual([]);
});

test("a sweep that fails is repeated, and one that takes long is not started twice", async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  let [failed, begun] = [0, 0];
  const failing = async () => {
    failed += 1;
    throw new Error("away");
  };
  const slow = () => {
    begun += 1;
    return end;
  };
  const stop = startSweeper([
    { name: "failing", everyMs: 5, run: failing },
    { name: "slow", everyMs: 5, run: slow },
  ]);
  await expect.poll(() => failed).toBeGreaterThan(3);
  expect(begun).toBe(1);
  resolve();
  await expect.poll(() => begun).toBeGreaterThan(1);
  stop();
});
