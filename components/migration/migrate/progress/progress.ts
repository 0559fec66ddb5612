import { formatCount, formatDuration, formatNumber } from "@/components/ui/text/format";
import type { HistoryCounts } from "@/lib/migration/history/history-schema";
import type { Migration, ObjectProgress } from "@/lib/migration/migration-schema";

/** The number of records of an object that have an outcome. */
export function doneOf(object: ObjectProgress): number {
  return object.created + object.updated + object.unchanged + object.skipped + object.failed;
}

/** The number of records: as counted after reading, else as expected; never less than those with an outcome. */
export function totalOf(object: ObjectProgress): number {
  return Math.max(object.source ?? object.expected ?? 0, doneOf(object));
}

/**
 * The result of the latest run in words that every page shares: "8,787 of 10,000 records were imported". A delta counts
 * what has changed, not what was imported. A run that has not read everything says how far it got: what the runs before
 * imported is not in its counts. Null before the first run.
 */
export function resultInWords(migration: Migration): string | null {
  const { objects, run_kind: kind, run_number: number, reconciled, outdated_by_undo: isOutdated } = migration;
  if (number === 0) return null;
  if (kind === "delta") return changesInWords(migration);
  if (kind === "full" && !reconciled && !isAllRead(objects)) return readInWords(objects);
  return isOutdated ? `${importedInWords(migration)} before an undo` : importedInWords(migration);
}

/**
 * The result where no reasons follow it: "All 2,000 records are accounted for: 1,755 imported, 245 skipped on purpose".
 * A part of a sum alone reads as if the rest were lost.
 */
export function accountInWords(migration: Migration): string | null {
  const result = resultInWords(migration);
  if (result === null || migration.run_kind === "delta") return result;
  const { skipped, failed } = totalCounts(migration);
  const { count, outcome } = importedOf(migration);
  const total = count + skipped + failed;
  if (migration.reconciled !== true || total === 0) return [result, ...leftOutInWords(migration)].join("; ");
  const counts = [
    count > 0 && `${formatNumber(count)} ${outcome}`,
    skipped > 0 && `${formatNumber(skipped)} skipped on purpose`,
    failed > 0 && `${formatNumber(failed)} failed`,
  ];
  const all = total === 1 ? "The only record is" : `All ${formatNumber(total)} records are`;
  return `${all} accounted for: ${counts.filter((part) => part !== false).join(", ")}`;
}

/** The records that a run did not import: "245 were skipped on purpose", "3 failed". */
export function leftOutInWords(migration: Migration): string[] {
  const { skipped, failed } = totalCounts(migration);
  const counts = [
    skipped > 0 && `${formatNumber(skipped)} ${skipped === 1 ? "was" : "were"} skipped on purpose`,
    failed > 0 && `${formatNumber(failed)} failed`,
  ];
  return counts.filter((part) => part !== false);
}

/** A duplicate that was merged is imported, and no record of its own here: so this does not say what is here. */
function importedInWords(migration: Migration): string {
  const { count, outcome } = importedOf(migration);
  const all = migration.objects.reduce((sum, object) => sum + doneOf(object), 0);
  return `${formatNumber(count)} of ${formatCount(all, "record")} ${count === 1 ? "was" : "were"} ${outcome}`;
}

/**
 * The records that were not left out. A full run that found each of them as it is in Salesforce has imported none; a
 * retry counts as unchanged what the run before it imported.
 */
function importedOf(migration: Migration): { count: number; outcome: "imported" | "unchanged" } {
  const { created, updated, unchanged } = totalCounts(migration);
  const isFull = migration.run_kind === "full" && !migration.outdated_by_undo;
  const hasImportedNone = isFull && created + updated === 0 && unchanged > 0;
  return { count: created + updated + unchanged, outcome: hasImportedNone ? "unchanged" : "imported" };
}

/**
 * What a delta has brought: "2 changes were migrated". With `since`, where and since when these were made, which only a
 * delta that reached its end can say.
 */
export function changesInWords(
  { objects, reconciled }: Pick<Migration, "objects" | "reconciled">,
  since?: string,
): string {
  const changes = objects.reduce((sum, { created, updated, deleted }) => sum + created + updated + deleted, 0);
  const when = since !== undefined && reconciled === true ? ` ${since}` : "";
  const made = when && ` made${when}`;
  if (changes > 0) return `${formatCount(changes, `change${made} was`, `changes${made} were`)} migrated`;
  return reconciled === true && !objects.some(mayHaveSkippedChange) ? `Nothing had changed${when}` : NO_CHANGE;
}

const NO_CHANGE = "No change was migrated";

/** What a delta skips has changed as well. Without having read any record, it skipped none: the runs before did. */
const mayHaveSkippedChange = ({ skipped, read_in_run: read }: ObjectProgress) => skipped > 0 && read?.done !== 0;

const isCounted = ({ source, expected }: ObjectProgress) => source !== null || expected !== null;

function isAllRead(objects: readonly ObjectProgress[]): boolean {
  return objects.every((object) => isCounted(object) && doneOf(object) === totalOf(object));
}

/** "1,590 of 3,000 records were read"; without the second number while not every object is counted. */
function readInWords(objects: readonly ObjectProgress[]): string {
  const { done, total } = totalProgress({ objects });
  if (done === 0) return "No record was read";
  if (!objects.every(isCounted)) return `${formatCount(done, "record was", "records were")} read`;
  return `${formatNumber(done)} of ${formatCount(total, "record")} ${done === 1 ? "was" : "were"} read`;
}

export interface Total {
  done: number;
  total: number;
  /** 0–100, rounded down, so 100 means that all are done. */
  percent: number;
}

/** The outcomes of all objects of a migration together. */
export function totalCounts({ objects }: Migration): HistoryCounts {
  const sum = (key: keyof HistoryCounts) => objects.reduce((all, object) => all + object[key], 0);
  return {
    created: sum("created"),
    updated: sum("updated"),
    unchanged: sum("unchanged"),
    skipped: sum("skipped"),
    failed: sum("failed"),
    deleted: sum("deleted"),
  };
}

/** The sum over all objects of a migration. */
export function totalProgress({ objects }: { objects: readonly ObjectProgress[] }): Total {
  const done = objects.reduce((sum, object) => sum + doneOf(object), 0);
  const total = objects.reduce((sum, object) => sum + totalOf(object), 0);
  return { done, total, percent: total === 0 ? 0 : Math.floor((done / total) * 100) };
}

/**
 * The records that a full run has to read: of objects that it has not counted yet about as many as the analysis has
 * counted, by `analyzed`. Null where neither has counted.
 */
export function toRead(
  objects: readonly ObjectProgress[],
  analyzed: (object: ObjectProgress["object"]) => number | null,
): { total: number; isAbout: boolean } | null {
  let [total, isAbout] = [0, false];
  for (const object of objects) {
    const count = isCounted(object) ? totalOf(object) : analyzed(object.object);
    if (count === null) return null;
    total += Math.max(count, doneOf(object));
    isAbout ||= !isCounted(object);
  }
  return { total, isAbout };
}

/** "of 465", "of about 3,000"; "of ?" while nobody has counted. */
export function totalInWords(found: ReturnType<typeof toRead>): string {
  return found === null ? "of ?" : `of ${found.isAbout ? "about " : ""}${formatNumber(found.total)}`;
}

/**
 * What a delta or a retry has read of what it has to read, over all of its objects; null while it is not counted for
 * all of them that are still to be read.
 */
export function readInRun(objects: readonly ObjectProgress[]): Omit<Total, "percent"> | null {
  let [done, total] = [0, 0];
  for (const { status, read_in_run: read } of objects) {
    if (read === null && status !== "done") return null;
    done += read?.done ?? 0;
    // What has gone meanwhile is no longer to be read.
    total += (status === "done" ? read?.done : read?.total) ?? 0;
  }
  return { done, total };
}

/** "120 per second"; with a decimal below one, and never 0: what is measured has moved. */
export function speedInWords(rate: number): string {
  return `${formatNumber(rate < 1 ? Math.ceil(rate * 10) / 10 : Math.round(rate))} per second`;
}

/** "120 per second, 2 minutes left"; empty while too little was measured. Without `left` the speed alone. */
export function paceInWords(rate: number | null, left: number | null): string {
  if (rate === null) return "";
  const speed = speedInWords(rate);
  return left === null || left <= 0 ? speed : `${speed}, ${formatDuration(left / rate)} left`;
}

/** The number of records in the source minus those with an outcome; null before the source was counted again. */
export function differenceOf(object: ObjectProgress): number | null {
  return object.source === null ? null : object.source - doneOf(object);
}
