import type { FieldReport } from "@/lib/migration/report/report-schema";

/**
 * The share of records that have a value: "45 %". 0 and 100 mean none and all, however many records there are. A share
 * that was measured in a sample is about so. Null: it was not measured.
 */
export function fillInWords(fill: FieldReport["fill"]): string | null {
  if (!fill || fill.rate === null) return null;
  const { filled, of, rate, measured } = fill;
  const percent = Math.round(100 * rate);
  if (measured === "sampled") return `about ${filled < of ? Math.min(percent, 99) : percent} %`;
  if (percent === 0 && filled > 0) return "under 1 %";
  return percent === 100 && filled < of ? "over 99 %" : `${percent} %`;
}
