import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, test } from "vitest";

/**
 * Works until it holds much garbage, rests, and prints its memory before and after, in bytes; likewise of what it lets
 * go while it rests.
 */
const WORK_AND_REST = `
  import { collectAtRest } from "@/scripts/service/processes/collect-at-rest";
  let kept = [];
  const until = performance.now() + 1500;
  for (let i = 0; performance.now() < until; i += 1) {
    kept.push({ i, text: "x" + i });
    if (kept.length > 200000) kept = kept.slice(150000);
    if (i % 10000 === 0) await new Promise((done) => setImmediate(done));
  }
  kept = [];
  let cached = Array.from({ length: 200000 }, (_, i) => ({ i, text: "y" + i }));
  const before = process.memoryUsage().heapTotal;
  collectAtRest(100, 2000);
  const whenBelow = async (bytes) => {
    let now = Infinity;
    for (let waits = 0; waits < 300 && now > bytes; waits += 1) {
      await new Promise((done) => setTimeout(done, 100));
      now = process.memoryUsage().heapTotal;
    }
    return now;
  };
  const after = await whenBelow(before / 2);
  const held = cached.length;
  cached = [];
  const expired = await whenBelow(after * 0.7);
  console.log(JSON.stringify({ before, after, held, expired }));
`;

test("a process that rests after work gives back its memory, and later that of what has expired", async () => {
  const args = ["--import", "tsx", "--input-type=module", "--eval", WORK_AND_REST];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { before, after, expired } = JSON.parse(stdout) as Record<"before" | "after" | "expired", number>;
  expect(after).toBeLessThan(before / 2);
  expect(expired).toBeLessThanOrEqual(after * 0.7);
});
