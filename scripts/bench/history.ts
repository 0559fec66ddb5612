import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { ROOT } from "@/scripts/service/root";
import type { PlannedBenchmark } from "@/scripts/bench/benchmarks";
import type { Limit, Measurement } from "@/tests/benchmarks/measurement";

const FILE = join(ROOT, "docs/benchmarks-history.ndjson");

/** What is kept of a figure: a ratio with what it was made of, or a value that has a limit or a goal. */
export interface Figure {
  what: string;
  against?: string;
  floor?: number;
  ours: number;
  unit: string;
  ratio?: number;
  goal?: Limit;
}

/** One run of one benchmark: a line of the file. */
export interface BenchmarkRun {
  benchmark: string;
  title: string;
  records: number | null;
  date: string;
  /** The commit, with "+" for changes that were not committed. */
  commit: string;
  /** Absent in runs of before it was kept. */
  machine?: string;
  figures: Figure[];
}

/** Every run that was kept, the oldest first. */
export async function readRuns(): Promise<BenchmarkRun[]> {
  if (!existsSync(FILE)) return [];
  const lines = (await readFile(FILE, "utf8")).split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as BenchmarkRun);
}

/** Adds a run. Figures that are only details of others are left out. */
export async function keepRun(
  { name, title, records }: PlannedBenchmark,
  measurements: readonly Measurement[],
): Promise<void> {
  const run: BenchmarkRun = {
    benchmark: name,
    title,
    records,
    date: new Date().toISOString().slice(0, 10),
    commit: await currentCommit(),
    machine: machine(),
    figures: measurements.flatMap(figureOf),
  };
  if (run.figures.length > 0) await appendFile(FILE, `${JSON.stringify(run)}\n`);
}

/** The figure of a measurement that the summary shows. */
export function figureOf({ name, value, unit, compared, limit, goal }: Measurement): Figure[] {
  const keepsTo = limit ?? goal;
  if (typeof value === "string" || !(compared || keepsTo)) return [];
  const measured = compared ? { ...compared, ratio: value } : { what: name, ours: value, unit };
  return [{ ...measured, ...(keepsTo && { goal: keepsTo }) }];
}

/** What a run was measured on. */
export function machine(): string {
  const [core] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${core?.model ?? "unknown"}), ${memory} GB, Node ${process.versions.node}`;
}

async function currentCommit(): Promise<string> {
  const commit = await git("rev-parse", "--short=8", "HEAD");
  // The figures of this run change `docs`.
  const changes = await git("status", "--porcelain", "--", ".", ":!docs");
  return commit ? `${commit}${changes ? "+" : ""}` : "unknown";
}

async function git(...args: string[]): Promise<string | undefined> {
  const done = await promisify(execFile)("git", args, { cwd: ROOT }).catch(() => null);
  return done?.stdout.trim();
}
