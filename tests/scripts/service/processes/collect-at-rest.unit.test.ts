import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, test } from "vitest";

/** Works until it holds much garbage, rests, and prints its memory before and after, in bytes. */
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
  const before = process.memoryUsage().heapTotal;
  collectAtRest(100);
  let after = before;
  for (let waits = 0; waits < 300 && after > before / 2; waits += 1) {
    await new Promise((done) => setTimeout(done, 100));
    after = process.memoryUsage().heapTotal;
  }
  console.log(JSON.stringify({ before, after }));
`;

test("a process that rests after work gives back most of the memory that it worked in", async () => {
  const args = ["--import", "tsx", "--input-type=module", "--eval", WORK_AND_REST];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { before, after } = JSON.parse(stdout) as { before: number; after: number };
  expect(after).toBeLessThan(before / 2);
});
