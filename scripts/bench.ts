import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

import { Fault, runCommand } from "@/scripts/service/fault";
import { type Measurement, run as runImport } from "@/tests/benchmarks/import";

/** One benchmark: what it measures, and how. Each measures its floor in the same run. */
interface Benchmark {
  title: string;
  run: () => Promise<Measurement[]>;
}

const BENCHMARKS: Record<string, Benchmark> = {
  import: { title: "Import of 100,000 records against the load statement alone", run: runImport },
};

const FILE = join(import.meta.dirname, "../docs/benchmarks.md");
const HEAD = `# Benchmarks

Written by \`npm run bench\`. A figure counts as a ratio to its floor, measured in the same run on the same machine; absolute figures depend on the machine.
`;

/** \`npm run bench [-- <name> …]\`: runs the benchmarks, prints them, and keeps them in docs/benchmarks.md. */
await runCommand(async () => {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHMARKS);
  for (const name of names) {
    const benchmark = BENCHMARKS[name];
    if (!benchmark) throw new Fault(`There is no benchmark "${name}". There are: ${Object.keys(BENCHMARKS).join(", ")}.`);
    console.log(benchmark.title);
    const measurements = await benchmark.run();
    for (const { name: what, value, unit } of measurements) console.log(`  ${what}: ${value} ${unit}`.trimEnd());
    await keep(benchmark.title, measurements);
  }
});

/** Replaces the benchmark's section, or adds it. */
async function keep(title: string, measurements: readonly Measurement[]): Promise<void> {
  const text = existsSync(FILE) ? await readFile(FILE, "utf8") : HEAD;
  const sections = text.split(/^(?=## )/m).filter((section) => !section.startsWith(`## ${title}\n`));
  const rows = measurements.map(({ name, value, unit }) => `| ${name} | ${value} | ${unit} |`);
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
  const section = [
    `## ${title}`,
    "",
    `${new Date().toISOString().slice(0, 10)}, ${machine}`,
    "",
    "| what | value | unit |",
    "|---|---|---|",
    ...rows,
    "",
  ];
  await writeFile(FILE, `${[...sections.map((part) => part.trimEnd()), section.join("\n").trimEnd()].join("\n\n")}\n`);
}
