import { Fault } from "@/scripts/service/fault";
import type { Measurement } from "@/tests/benchmarks/measurement";

interface Benchmark {
  title: string;
  run: () => Promise<Measurement[]>;
}

/** One benchmark at several sizes, so that growth shows. The figures of the last size have a section of their own. */
interface SizedBenchmark {
  title: (records: string) => string;
  run: (records: number) => Promise<Measurement[]>;
  sizes: readonly number[];
  /** The setting that replaces the sizes by another one. */
  setting: string;
}

/** What `npm run bench` measures, in this order. Each one measures its floor in the same run. */
export const BENCHMARKS: Record<string, Benchmark | SizedBenchmark> = {
  startup: {
    title: "npm start on a warm checkout, against its database and an empty Node server",
    run: async () => (await import("@/tests/benchmarks/startup")).run(),
  },
  memory: {
    title: "Memory of the processes of npm start, against an empty Node server",
    run: async () => (await import("@/tests/benchmarks/memory")).run(),
  },
  "page-weight": {
    title: "JavaScript of each page, compressed, against that of Next itself",
    run: async () => (await import("@/tests/benchmarks/page-weight")).run(),
  },
  token: {
    title: (tokens) => `Token endpoint and bearer check beside ${tokens} tokens, 16 connections`,
    run: async (tokens) => (await import("@/tests/benchmarks/token")).run(tokens),
    sizes: [1000, 10_000, 100_000, 1_000_000],
    setting: "BENCH_ROWS",
  },
  api: {
    title: (records) => `REST API with ${records} opportunities in 20 organizations, 16 connections`,
    run: async (records) => (await import("@/tests/benchmarks/api")).run(records),
    sizes: [1000, 10_000, 100_000, 1_000_000],
    setting: "BENCH_ROWS",
  },
  processes: {
    title: "Lists of two web processes against one, on one database, 16 connections",
    run: async () => (await import("@/tests/benchmarks/processes")).run(),
  },
  mcp: {
    title: (records) =>
      `MCP server with ${records} opportunities: query_records of 20 against the REST list of the same`,
    run: async (records) => (await import("@/tests/benchmarks/mcp")).run(records),
    sizes: [1000, 10_000, 100_000, 1_000_000],
    setting: "BENCH_ROWS",
  },
  import: {
    title: (records) => `Import of ${records} records against the load statement alone`,
    run: async (records) => (await import("@/tests/benchmarks/import")).run(records),
    sizes: [1000, 10_000, 100_000, 1_000_000],
    setting: "BENCH_RECORDS",
  },
  kills: {
    title: "Import of 100,000 records whose worker is killed fifty times, against one that nobody disturbs",
    run: async () => (await import("@/tests/benchmarks/kills")).run(),
  },
  duplicates: {
    title: (records) => `Duplicates among ${records} contacts, a tenth of them twice, against comparing every pair`,
    run: async (records) => (await import("@/tests/benchmarks/duplicates")).run(records),
    sizes: [1000, 10_000, 100_000],
    setting: "BENCH_RECORDS",
  },
  prisma: {
    title: "Prisma and SQL for the same work, in one process, 16 at a time",
    run: async () => (await import("@/tests/benchmarks/prisma-and-sql")).run(),
  },
  webhooks: {
    title: (deliveries) => `Webhooks after ${deliveries} deliveries`,
    run: async (deliveries) => (await import("@/tests/benchmarks/webhooks")).run(deliveries),
    sizes: [1000, 10_000, 100_000, 1_000_000],
    setting: "BENCH_ROWS",
  },
  vitals: {
    title: "Pages in Chromium on the cores of a mid-tier phone: largest paint, blocking, layout shift",
    run: async () => (await import("@/tests/benchmarks/vitals")).run(),
  },
  list: {
    title: "A list of 200,000 contacts in Chromium: its first rows, and frames while all of them are scrolled",
    run: async () => (await import("@/tests/benchmarks/list")).run(),
  },
};

/** The sizes at which growth is shown. A run of another size is a trial, whose figures are not kept. */
const KEPT_SIZES = new Set([1000, 10_000, 100_000, 1_000_000]);

/** A benchmark at one size, if it has sizes. */
export interface PlannedBenchmark {
  /** "api:1000": what `npm run bench --` takes. */
  argument: string;
  /** "api". */
  name: string;
  records: number | null;
  title: string;
  run: () => Promise<Measurement[]>;
  /** Whether its figures are kept, and have a section of their own. */
  isKept: boolean;
  hasSection: boolean;
}

/** What is to be run for an argument: "api" stands for all its sizes, "api:1000" for one. Throws Fault. */
export function planBenchmarks(argument: string): PlannedBenchmark[] {
  const [name = "", size] = argument.split(":");
  const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined;
  if (!benchmark)
    throw new Fault(`There is no benchmark "${name}". Choose from: ${Object.keys(BENCHMARKS).join(", ")}.`);
  if (!("sizes" in benchmark)) {
    const isKept = !process.env.BENCH_ROWS && !process.env.BENCH_RECORDS;
    return [{ ...benchmark, argument: name, name, records: null, isKept, hasSection: isKept }];
  }
  const wanted = size ?? process.env[benchmark.setting];
  return (wanted ? [Number(wanted)] : benchmark.sizes).map((records) => {
    if (!(records > 0)) throw new Fault(`"${wanted}" is no number of records. Usage: npm run bench -- ${name}:1000`);
    return {
      argument: `${name}:${records}`,
      name,
      records,
      title: benchmark.title(records.toLocaleString("en")),
      run: () => benchmark.run(records),
      isKept: KEPT_SIZES.has(records),
      hasSection: records === benchmark.sizes.at(-1),
    };
  });
}

/** The benchmarks in their order, each with the size whose figures the summary shows; null for those without sizes. */
export function mainSizes(): Map<string, number | null> {
  const sizes = Object.entries(BENCHMARKS).map(
    ([name, benchmark]) => [name, "sizes" in benchmark ? (benchmark.sizes.at(-1) ?? null) : null] as const,
  );
  return new Map(sizes);
}
