import type { BenchmarkRun, Figure } from "@/scripts/bench/history";
import { inWords, keepsTo } from "@/scripts/bench/limits";

/** So many earlier ratios are shown, the latest first. */
const MAX_BEFORE = 3;

/**
 * The tables at the top of docs/benchmarks.md, from the kept runs: the last one of each benchmark with its earlier
 * ratios, and how ratios grow with the number of records. `mainSizes`: benchmarks in the order of the table, each with
 * the size that it shows there, null for those without sizes; the last one that was run, if that was not.
 */
export function summaryOf(runs: readonly BenchmarkRun[], mainSizes: ReadonlyMap<string, number | null>): string {
  const groups = [...mainSizes].flatMap(([name, size]) => {
    const all = runs.filter(({ benchmark }) => benchmark === name);
    const shown = all.some(({ records }) => records === size) ? size : all.at(-1)?.records;
    return all.length > 0 ? [groupOf(all.filter(({ records }) => records === shown))] : [];
  });
  const growth = [...mainSizes.keys()].flatMap((name) => growthOf(runs.filter(({ benchmark }) => benchmark === name)));
  return [
    "## Summary",
    "",
    "The last run of each benchmark. A figure without a floor has only a goal. “Before” are the ratios of earlier",
    "runs, the latest first; `benchmarks-history.ndjson` beside this page has every run with its date and commit.",
    "",
    "| what | floor | ours | ratio | goal | before |",
    "|---|---|---|---|---|---|",
    ...groups.flat(),
    ...(growth.length > 0 ? ["", ...growth] : []),
    "",
  ].join("\n");
}

/** The rows of one benchmark, whose runs these are. */
function groupOf(runs: readonly BenchmarkRun[]): string[] {
  const last = runs.at(-1) as BenchmarkRun;
  const earlier = runs.slice(0, -1).toReversed();
  const rows = last.figures.map((figure) => {
    const before = earlier.flatMap(({ figures }) => figures.filter(({ what }) => what === figure.what));
    const cells = [figure.what, floorOf(figure), `${cell(figure.ours)} ${figure.unit}`.trimEnd(), cell(figure.ratio)];
    return rowOf([...cells, goalOf(figure), before.slice(0, MAX_BEFORE).map(valueOf).join(", ")]);
  });
  return [rowOf([`**${last.title}** (${last.date}, ${last.commit})`, "", "", "", "", ""]), ...rows];
}

/** The ratios of one benchmark by the number of records, from the last run of each number. */
function growthOf(runs: readonly BenchmarkRun[]): string[] {
  const sizes = [...new Set(runs.flatMap(({ records }) => records ?? []))].toSorted((one, other) => one - other);
  if (sizes.length < 2) return [];
  const lasts = sizes.map((size) => runs.findLast(({ records }) => records === size)?.figures ?? []);
  const names = new Set(lasts.flat().flatMap(({ what, ratio }) => (ratio === undefined ? [] : what)));
  const rows = [...names].map((name) => [
    name,
    ...lasts.map((all) => cell(all.find(({ what }) => what === name)?.ratio)),
  ]);
  const heads = [`ratio of ${runs[0]?.benchmark} by records`, ...sizes.map(cell)];
  return [rowOf(heads), `|${"---|".repeat(heads.length)}`, ...rows.map(rowOf), ""];
}

function floorOf({ against, floor }: Figure): string {
  return floor === undefined ? "" : `${against}: ${cell(floor)}`;
}

function goalOf(figure: Figure): string {
  if (!figure.goal) return "";
  return `${inWords(figure.goal)}${keepsTo(valueOf(figure), figure.goal) ? "" : ": missed"}`;
}

function valueOf({ ratio, ours }: Figure): number {
  return ratio ?? ours;
}

function cell(value: number | undefined): string {
  return value?.toLocaleString("en", { maximumFractionDigits: 3 }) ?? "";
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
