import type { SourceRecord } from "@/lib/salesforce/query";

const VALUES = 3;
const LONGEST = 80;

/** Up to three different values of a field in real records, shortened to a line. */
export function samplesOf(records: readonly SourceRecord[], field: string): string[] {
  const values = new Set<string>();
  for (const record of records) {
    const value = textOf(record[field]);
    if (value) values.add(value);
    if (values.size === VALUES) break;
  }
  return [...values];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const line = text.replaceAll("\u0000", "").replaceAll(/\s+/g, " ").trim();
  if (line.length <= LONGEST) return line;
  // By characters, so that no surrogate pair is cut in two.
  return `${[...line].slice(0, LONGEST - 1).join("")}…`;
}
