import { expect, test, vi } from "vitest";

import { planBenchmarks } from "@/scripts/bench/benchmarks";
import { type BenchmarkRun, figureOf } from "@/scripts/bench/history";
import { summaryOf } from "@/scripts/bench/summary";
import { compare } from "@/tests/benchmarks/measurement";

function runOf(records: number | null, ratio: number, commit = "abc"): BenchmarkRun {
  const figures = [
    ...figureOf(
      compare({
        what: "create",
        against: "trivial",
        floor: 1500,
        ours: 1500 * ratio,
        unit: "/s",
        goal: { atLeast: 0.5 },
      }),
    ),
    ...figureOf({ name: "worker", value: 299, unit: "MB", goal: { atMost: 300 } }),
    ...figureOf({ name: "p50, p99", value: "1, 2", unit: "ms" }),
    ...figureOf({ name: "a detail", value: 7, unit: "" }),
  ];
  return { benchmark: "api", title: "REST API", records, date: "2026-11-26", commit, figures };
}

test("the summary has the last run of the main size, with its goals and the ratios of earlier runs", () => {
  const runs = [0.1, 0.2, 0.3, 0.4, 0.6].map((ratio) => runOf(1000, ratio));
  const text = summaryOf([...runs, runOf(10, 0.9), runOf(1000, 0.45, "def")], new Map([["api", 1000]]));
  expect(text).toContain("**REST API** (2026-11-26, def)");
  expect(text).toContain("| create | trivial: 1,500 | 675 /s | 0.45 | at least 0.5: missed | 0.6, 0.4, 0.3 |");
  expect(text).toContain("| worker |  | 299 MB |  | at most 300 | 299, 299, 299 |");
  expect(text).not.toMatch(/p50|a detail/);
});

test("a benchmark that was not run at its main size is shown at the size of its last run", () => {
  const text = summaryOf([runOf(10, 0.9), runOf(100, 0.5)], new Map([["api", 1000]]));
  expect(text).toContain("| create | trivial: 1,500 | 750 /s | 0.5 |");
  expect(text).not.toContain("1,350 /s");
});

test("growth shows the ratios of each size from its last run, in the order of sizes", () => {
  const runs = [runOf(1000, 0.3), runOf(10, 0.9), runOf(1000, 0.4), runOf(100, 0.5)];
  const text = summaryOf(runs, new Map([["api", 1000]]));
  expect(text).toContain("| ratio of api by records | 10 | 100 | 1,000 |");
  expect(text).toContain("| create | 0.9 | 0.5 | 0.4 |");
  expect(summaryOf([runOf(null, 0.3)], new Map([["api", null]]))).not.toContain("by records");
});

test("a benchmark stands for all its sizes unless one is named, and only standard sizes are kept", () => {
  vi.stubEnv("BENCH_ROWS", "");
  const planned = planBenchmarks("api");
  expect(planned.map(({ argument }) => argument)).toEqual(["api:1000", "api:10000", "api:100000", "api:1000000"]);
  expect(planned.map(({ hasSection }) => hasSection)).toEqual([false, false, false, true]);
  expect(planBenchmarks("api:5000")).toMatchObject([{ records: 5000, isKept: false, hasSection: false }]);
  vi.stubEnv("BENCH_ROWS", "20000");
  expect(planBenchmarks("api")).toMatchObject([{ argument: "api:20000", isKept: false }]);
  expect(planBenchmarks("list")).toMatchObject([{ argument: "list", isKept: false, hasSection: false }]);
  expect(() => planBenchmarks("api:many")).toThrow('"many" is no number of records');
  expect(() => planBenchmarks("apis")).toThrow('There is no benchmark "apis". Choose from: startup,');
  vi.unstubAllEnvs();
});
