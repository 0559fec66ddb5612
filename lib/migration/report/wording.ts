import { formatCount, formatNumber, wholeSum } from "@/lib/amounts";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { ObjectReport, FieldReport } from "@/lib/migration/report/report-schema";

/** Records of one object that a run is expected to leave out for one reason. */
export type LeftOut = ObjectReport["left_out"][number];

export type LeftOutByObject = Partial<Record<SourceObjectName, LeftOut[]>>;

const WORDS: Record<LeftOut["code"], [one: string, many: string]> = {
  mirrored_by_email: ["copy of an e-mail", "copies of e-mails"],
  recurrence_series: ["pattern of a recurring series", "patterns of recurring series"],
  invitee_copy: ["invitee's copy of an event", "invitees' copies of events"],
  mirrored_in_feed: ["feed post that shows another record", "feed posts that show other records"],
  feed_notice: ["feed post without content", "feed posts without content"],
  missing_parent: ["record without its case", "records without their case"],
};

/** The number of records with an outcome. What could not be counted counts as 0. */
export function sumLeftOut(leftOut: readonly LeftOut[], outcome: LeftOut["outcome"]): number {
  return leftOut.reduce((sum, entry) => sum + (entry.outcome === outcome ? (entry.count ?? 0) : 0), 0);
}

/** "789 copies of e-mails"; "some copies of e-mails" if they could not be counted. */
export function describeLeftOut({ code, count }: Pick<LeftOut, "code" | "count">): string {
  const [one, many] = WORDS[code];
  return count === null ? `some ${many}` : formatCount(count, one, many);
}

/**
 * "789 copies of e-mails and 45 patterns of recurring series": the records with an outcome by reason, over all objects,
 * the most first, as a run lists what it has left out.
 */
function listLeftOut(leftOut: readonly LeftOut[], outcome: LeftOut["outcome"]): string {
  const byCode = Map.groupBy(
    leftOut.filter((entry) => entry.outcome === outcome),
    ({ code }) => code,
  );
  const reasons = [...byCode].map(([code, entries]) => ({ code, count: totalLeftOut(entries) }));
  const mostFirst = reasons.toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0));
  return new Intl.ListFormat("en").format(mostFirst.map(describeLeftOut));
}

export function totalLeftOut(entries: readonly LeftOut[]): number | null {
  return wholeSum(entries.map(({ count }) => count));
}

/** "12 records"; "at least 12 records" or "an unknown number of records" where there may be more than were counted. */
export function recordsInWords(counted: number, areAllCounted: boolean): string {
  if (areAllCounted) return formatCount(counted, "record");
  return counted === 0 ? "an unknown number of records" : `at least ${formatCount(counted, "record")}`;
}

/** As {@link recordsInWords}, at the beginning of a sentence. */
export function recordsBeginning(counted: number, areAllCounted: boolean): string {
  const text = recordsInWords(counted, areAllCounted);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "9,147 of 10,000 records will be imported; 853 will be skipped on purpose: 789 copies of e-mails and …." */
export function importSentence(
  { records, areAllCounted = true }: { records: number; areAllCounted?: boolean },
  leftOut: readonly LeftOut[],
): string {
  if (leftOut.length === 0) return `${recordsBeginning(records, areAllCounted)} will be imported.`;
  const [skipped, failed] = [sumLeftOut(leftOut, "skipped"), sumLeftOut(leftOut, "failed")];
  const about = areAllCounted && leftOut.every(({ count }) => count !== null) ? "" : "About ";
  const imported = formatNumber(records - skipped - failed);
  const parts = [
    `${about}${imported} of ${recordsInWords(records, areAllCounted)} will be imported`,
    ...leftOutPart(leftOut, "skipped", "will be skipped on purpose"),
    ...leftOutPart(leftOut, "failed", "cannot be imported"),
  ];
  return `${parts.join("; ")}.`;
}

/** A single reason already contains the number. */
function leftOutPart(leftOut: readonly LeftOut[], outcome: LeftOut["outcome"], verb: string): string[] {
  const entries = leftOut.filter((entry) => entry.outcome === outcome);
  if (entries.length === 0) return [];
  const isOne = new Set(entries.map(({ code }) => code)).size === 1;
  const list = listLeftOut(entries, outcome);
  return [
    isOne || sumLeftOut(entries, outcome) === 0
      ? `${list} ${verb}`
      : `${formatNumber(sumLeftOut(entries, outcome))} ${verb}: ${list}`,
  ];
}

/** Whether a run keeps a field by the suggestions: not one of which the user sees only masks. */
export function isKept({ target, fit }: FieldReport): boolean {
  return target !== null && fit?.verdict !== "left_out";
}

/** The number of fields that the suggestions keep, and how many of those as custom fields. */
export function countKept(fields: readonly FieldReport[]): { kept: number; custom: number } {
  const kept = fields.filter(isKept);
  return { kept: kept.length, custom: kept.filter(({ target }) => target === CUSTOM_FIELDS).length };
}

/** "40 of 44 fields are kept, 21 of them as custom fields": the summary of fields that report and pages share. */
export function summarizeFields(fields: readonly FieldReport[]): string {
  const { kept, custom } = countKept(fields);
  const total = formatCount(fields.length, "field");
  const sum = kept === fields.length ? `All ${total} are kept` : `${kept} of ${total} are kept`;
  return custom === 0 ? sum : `${sum}, ${custom === 1 ? "1 as a custom field" : `${custom} of them as custom fields`}`;
}
