import { assertWithinLimits } from "@/scripts/bench/limits";
import { saveFigures, printFigures } from "@/scripts/bench/save-figures";
import { Fault, runCommand } from "@/scripts/service/fault";
import { runProgram } from "@/scripts/service/program";
import { stopRequest } from "@/scripts/service/stop-request";
import type { Measurement } from "@/tests/benchmarks/measurement";

/** One benchmark. Each one measures its floor in the same run. */
interface Benchmark {
  title: string;
  run: () => Promise<Measurement[]>;
}

const BENCHMARKS: Record<string, Benchmark> = {
  import: {
    title: "Import of 100,000 records against the load statement alone",
    run: async () => (await import("@/tests/benchmarks/import")).run(),
  },
  kills: {
    title: "Import of 100,000 records whose worker is killed fifty times, against one that nobody disturbs",
    run: async () => (await import("@/tests/benchmarks/kills")).run(),
  },
  duplicates: {
    title: "Duplicates among 100,000 contacts, 10,000 of them twice, against comparing every pair",
    run: async () => (await import("@/tests/benchmarks/duplicates")).run(),
  },
  api: {
    title: "REST API with 1,000,000 opportunities in 20 organizations, 16 connections",
    run: async () => (await import("@/tests/benchmarks/api")).run(),
  },
  processes: {
    title: "Lists of two web processes against one, on one database, 16 connections",
    run: async () => (await import("@/tests/benchmarks/processes")).run(),
  },
  mcp: {
    title: "MCP server: query_records of 20 against the REST list of the same, 16 connections",
    run: async () => (await import("@/tests/benchmarks/mcp")).run(),
  },
  prisma: {
    title: "Prisma and SQL for the same work, in one process, 16 at a time",
    run: async () => (await import("@/tests/benchmarks/prisma-and-sql")).run(),
  },
  vitals: {
    title: "Pages in Chromium on cores four times slower: largest paint, blocking, layout shift",
    run: async () => (await import("@/tests/benchmarks/vitals")).run(),
  },
  list: {
    title: "A list of 200,000 contacts in Chromium: its first rows, and frames while all of them are scrolled",
    run: async () => (await import("@/tests/benchmarks/list")).run(),
  },
  webhooks: {
    title: "Webhooks: speed, latency, a hanging endpoint, the cost of the outbox",
    run: async () => (await import("@/tests/benchmarks/webhooks")).run(),
  },
};

/**
 * `npm run bench [-- <name> …]`: runs the benchmarks, prints the figures and saves them in docs/benchmarks.md.
 * BENCH_ROWS=20000 makes `api` quick, BENCH_RECORDS=1000000 makes `import` and `kills` long; those figures are not
 * saved. It fails if a figure is beyond its limit.
 */
await runCommand(async () => {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHMARKS);
  const unknown = names.find((name) => !Object.hasOwn(BENCHMARKS, name));
  if (unknown !== undefined)
    throw new Fault(`There is no benchmark "${unknown}". Choose from: ${Object.keys(BENCHMARKS).join(", ")}.`);
  const [only, ...more] = names;
  if (more.length === 0 && only) return measure(BENCHMARKS[only] as Benchmark);
  // Each benchmark needs a separate database, and a process reads its settings only once.
  const stopSignal = stopRequest();
  const failed: string[] = [];
  for (const name of names) {
    const args = ["--import", "tsx", import.meta.filename, name];
    await runProgram(process.execPath, args, { name, stopSignal }).catch(() => failed.push(name));
    stopSignal.throwIfAborted();
  }
  if (failed.length > 0) throw new Fault(`These benchmarks failed; the reasons are above: ${failed.join(", ")}.`);
});

async function measure({ title, run }: Benchmark): Promise<void> {
  console.log(title);
  const measurements = await run();
  printFigures(measurements);
  if (!process.env.BENCH_ROWS && !process.env.BENCH_RECORDS) await saveFigures(title, measurements);
  assertWithinLimits(measurements);
}
