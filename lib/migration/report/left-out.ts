import type { MigratedObjectName, ObjectReport } from "@/lib/migration/schemas";

/** Records of one object that a run will leave out for one reason. */
export type LeftOut = ObjectReport["left_out"][number];

export type LeftOutByObject = Partial<Record<MigratedObjectName, LeftOut[]>>;

const WORDS: Record<LeftOut["code"], [one: string, many: string]> = {
  mirrored_by_email: ["copy of an e-mail", "copies of e-mails"],
  recurrence_series: ["pattern of a recurring series", "patterns of recurring series"],
  invitee_copy: ["invitee's copy of an event", "invitees' copies of events"],
  missing_parent: ["record without its case", "records without their case"],
};

/** How many records are left out with an outcome. What could not be counted counts as none. */
export function sumOf(leftOut: readonly LeftOut[], outcome: LeftOut["outcome"]): number {
  return leftOut.reduce((sum, entry) => sum + (entry.outcome === outcome ? (entry.count ?? 0) : 0), 0);
}

/** "789 copies of e-mails"; "some copies of e-mails" where they could not be counted. */
export function phraseOf({ code, count }: Pick<LeftOut, "code" | "count">): string {
  const [one, many] = WORDS[code];
  return count === null ? `some ${many}` : `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** "789 copies of e-mails and 45 patterns of recurring series": the records of an outcome by their reasons, objects taken together. */
export function listOf(leftOut: readonly LeftOut[], outcome: LeftOut["outcome"]): string {
  const byCode = Map.groupBy(
    leftOut.filter((entry) => entry.outcome === outcome),
    ({ code }) => code,
  );
  const phrases = [...byCode].map(([code, entries]) => phraseOf({ code, count: totalOf(entries) }));
  return new Intl.ListFormat("en").format(phrases);
}

/** Null when nothing of it was counted. */
export function totalOf(entries: readonly LeftOut[]): number | null {
  return entries.every(({ count }) => count === null) ? null : entries.reduce((sum, { count }) => sum + (count ?? 0), 0);
}
