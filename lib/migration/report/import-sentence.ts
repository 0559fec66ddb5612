import { type LeftOut, listOf, sumOf } from "@/lib/migration/report/left-out";
import { counted } from "@/lib/migration/report/risk-check";

/** "9,147 of 10,000 records will be imported; 853 will be skipped: 789 copies of e-mails and …." What is taken, and what becomes of it. */
export function importSentence({ records }: { records: number }, leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return `${counted(records, "record")} will be imported.`;
  const [skipped, failed] = [sumOf(leftOut, "skipped"), sumOf(leftOut, "failed")];
  const about = leftOut.some(({ count }) => count === null) ? "About " : "";
  const parts = [
    `${about}${(records - skipped - failed).toLocaleString("en")} of ${counted(records, "record")} will be imported`,
    ...leftOutPart(leftOut, "skipped", "will be skipped on purpose"),
    ...leftOutPart(leftOut, "failed", "cannot be imported"),
  ];
  return `${parts.join("; ")}.`;
}

/** One reason alone says the number itself. */
function leftOutPart(leftOut: readonly LeftOut[], outcome: LeftOut["outcome"], verb: string): string[] {
  const own = leftOut.filter((entry) => entry.outcome === outcome);
  if (own.length === 0) return [];
  const isOne = new Set(own.map(({ code }) => code)).size === 1;
  const list = listOf(own, outcome);
  return [isOne || sumOf(own, outcome) === 0 ? `${list} ${verb}` : `${sumOf(own, outcome).toLocaleString("en")} ${verb}: ${list}`];
}
