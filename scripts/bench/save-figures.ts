import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

import { titleOf } from "@/scripts/bench/limits";
import type { Measurement } from "@/tests/benchmarks/measurement";

const FILE = join(import.meta.dirname, "../../docs/benchmarks.md");
const HEAD = `# Benchmarks

\`npm run bench\` and \`npm run soak\` write this page. A figure counts as a ratio to its floor, measured in the same
run on the same machine; absolute figures depend on the machine.
`;

/**
 * Writes a section of figures to docs/benchmarks.md. It replaces the section with that title, or is added at the end.
 */
export async function saveFigures(title: string, measurements: readonly Measurement[]): Promise<void> {
  const text = existsSync(FILE) ? await readFile(FILE, "utf8") : HEAD;
  const [, ...sections] = text.split(/^(?=## )/m);
  const others = sections.filter((section) => !section.startsWith(`## ${title}\n`));
  const rows = measurements.map((each) => `| ${titleOf(each)} | ${each.value} | ${each.unit} |`);
  const machine =
    `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ` +
    process.versions.node;
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
  await writeFile(FILE, `${[HEAD, ...others, section.join("\n")].map((part) => part.trimEnd()).join("\n\n")}\n`);
}

export function printFigures(measurements: readonly Measurement[]): void {
  for (const each of measurements) console.log(`  ${titleOf(each)}: ${each.value} ${each.unit}`.trimEnd());
}
