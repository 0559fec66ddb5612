import { shareOf } from "@/lib/mcp/equal-share";
import type { ShownRecord } from "@/lib/mcp/tools/shown-record";
import { plainValue } from "@/lib/mcp/untrusted-text";

/** How much of each text is tried to keep, in characters. */
const TEXTS = [10_000, 1000, 250, 60];

/**
 * A result that is longer than `max` characters of JSON, with those of its records shortened that take more than their
 * equal share: first their texts are cut, then fields are left out. Says so in each such record.
 */
export function shortenRecords(result: unknown, max: number): unknown {
  const records = recordsIn(result);
  const sizes = records.map((record) => JSON.stringify(record).length);
  const others = JSON.stringify(result).length - sum(sizes);
  const share = shareOf(sizes, max - others);
  const shortened = new Map<unknown, ShownRecord>();
  for (const [index, record] of records.entries())
    if ((sizes[index] ?? 0) > share) shortened.set(record, shorten(record, share));
  return replaced(result, shortened);
}

function recordsIn(value: unknown): ShownRecord[] {
  if (typeof value !== "object" || value === null) return [];
  return isRecord(value) ? [value] : Object.values(value).flatMap(recordsIn);
}

function isRecord(value: object): value is ShownRecord {
  return "url" in value && "fields" in value;
}

/** Room for what says that a record is shortened. */
const NOTE = 120;

function shorten(record: ShownRecord, max: number): ShownRecord {
  const room = max - JSON.stringify({ ...record, fields: {} }).length - NOTE;
  const all = Object.keys(record.fields).length;
  const cut = TEXTS.map((text) => plainValue(record.fields, text) as ShownRecord["fields"]);
  const short = cut.find((fields) => JSON.stringify(fields).length <= room);
  if (short) return { ...record, fields: short, shortened: "Texts are cut; ask for fewer records or for `fields`." };
  const kept = fitting(cut.at(-1) ?? {}, room);
  const left = all - Object.keys(kept).length;
  return { ...record, fields: kept, shortened: `${left} of ${all} fields are left out; ask for them with \`fields\`.` };
}

/** The fields that fit, in their order. One that is too large leaves room for those behind it. */
function fitting(fields: ShownRecord["fields"], max: number): ShownRecord["fields"] {
  let size = 2;
  const kept: [name: string, value: unknown][] = [];
  for (const field of Object.entries(fields)) {
    const { length } = JSON.stringify(field);
    if (size + length > max) continue;
    size += length;
    kept.push(field);
  }
  return Object.fromEntries(kept);
}

function replaced(value: unknown, shortened: ReadonlyMap<unknown, ShownRecord>): unknown {
  const other = shortened.get(value);
  if (other) return other;
  if (Array.isArray(value)) return value.map((item) => replaced(item, shortened));
  if (typeof value !== "object" || value === null || isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, shortened)]));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
