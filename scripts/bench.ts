import { BENCHMARKS, planBenchmarks, type PlannedBenchmark } from "@/scripts/bench/benchmarks";
import { keepRun } from "@/scripts/bench/history";
import { assertWithinLimits } from "@/scripts/bench/limits";
import { saveFigures, saveSummary, printFigures } from "@/scripts/bench/save-figures";
import { Fault, runCommand } from "@/scripts/service/fault";
import { runProgram } from "@/scripts/service/program";
import { stopRequest } from "@/scripts/service/stop-request";

/**
 * `npm run bench [-- <name>[:<records>] …]`: runs the benchmarks, prints the figures, keeps them in
 * docs/benchmarks-history.ndjson and writes docs/benchmarks.md. BENCH_ROWS=20000 makes `token`, `api`, `mcp`, `list`
 * and `webhooks` quick, BENCH_RECORDS=1000000 makes `kills` long. Figures of such runs are not kept, unless growth is
 * shown at that size. It fails if a figure is beyond its limit.
 */
await runCommand(async () => {
  const args = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHMARKS);
  const planned = args.flatMap((argument) => planBenchmarks(argument));
  const [only, ...more] = planned;
  if (only && more.length === 0) return measure(only);
  // Each benchmark needs a separate database, and a process reads its settings only once.
  const stopSignal = stopRequest();
  const failed: string[] = [];
  const times: string[] = [];
  for (const { argument } of planned) {
    const command = ["--import", "tsx", import.meta.filename, argument];
    const started = performance.now();
    await runProgram(process.execPath, command, { name: argument, stopSignal }).catch(() => failed.push(argument));
    stopSignal.throwIfAborted();
    times.push(`${argument} ${Math.round((performance.now() - started) / 1000)}`);
    console.log(`Seconds so far: ${times.join(", ")}.`);
  }
  if (failed.length > 0) throw new Fault(`These benchmarks failed; the reasons are above: ${failed.join(", ")}.`);
});

async function measure(benchmark: PlannedBenchmark): Promise<void> {
  const { argument, title, run, isKept, hasSection } = benchmark;
  console.log(`${argument}: ${title}`);
  const measurements = await run();
  printFigures(measurements);
  if (isKept) await keepRun(benchmark, measurements);
  if (hasSection) await saveFigures(title, measurements);
  else if (isKept) await saveSummary();
  assertWithinLimits(measurements);
}
