import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { mainSizes } from "@/scripts/bench/benchmarks";
import { machine, readRuns } from "@/scripts/bench/history";
import { titleOf } from "@/scripts/bench/limits";
import { summaryOf } from "@/scripts/bench/summary";
import { ROOT } from "@/scripts/service/root";
import type { Measurement } from "@/tests/benchmarks/measurement";

const FILE = join(ROOT, "docs/benchmarks.md");
const HEAD = `# Benchmarks

\`npm run bench\` and \`npm run soak\` write this page. A figure counts as a ratio to its floor, measured in the same
run on the same machine; absolute figures depend on the machine.
`;

/** Writes a section of figures to docs/benchmarks.md. It replaces the one with that title, or is added at the end. */
export function saveFigures(title: string, measurements: readonly Measurement[]): Promise<void> {
  return writePage({ title, text: sectionOf(title, measurements) });
}

/** Writes the summary at the top of docs/benchmarks.md again, from the kept runs. */
export function saveSummary(): Promise<void> {
  return writePage();
}

async function writePage(changed?: { title: string; text: string }): Promise<void> {
  const page = existsSync(FILE) ? await readFile(FILE, "utf8") : HEAD;
  const [, ...sections] = page.split(/^(?=## )/m);
  const isWritten = (section: string) =>
    ["Summary", changed?.title].some((title) => section.startsWith(`## ${title}\n`));
  const others = sections.filter((section) => !isWritten(section));
  const parts = [HEAD, summaryOf(await readRuns(), mainSizes()), ...others, ...(changed ? [changed.text] : [])];
  await writeFile(FILE, `${parts.map((part) => part.trimEnd()).join("\n\n")}\n`);
}

function sectionOf(title: string, measurements: readonly Measurement[]): string {
  const rows = measurements.map((each) => `| ${titleOf(each)} | ${each.value} | ${each.unit} |`);
  const lines = [
    `## ${title}`,
    "",
    `${new Date().toISOString().slice(0, 10)}, ${machine()}`,
    "",
    "| what | value | unit |",
    "|---|---|---|",
    ...rows,
  ];
  return lines.join("\n");
}

export function printFigures(measurements: readonly Measurement[]): void {
  for (const each of measurements) console.log(`  ${titleOf(each)}: ${each.value} ${each.unit}`.trimEnd());
}
