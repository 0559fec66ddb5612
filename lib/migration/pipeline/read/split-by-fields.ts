import type { Part } from "@/lib/migration/pipeline/read/split-by-time";
import { isAfter, isRecordId } from "@/lib/salesforce/ids";
import { SalesforceError } from "@/lib/salesforce/errors";
import { type SourceRecord, soqlString } from "@/lib/salesforce/query";

/** A statement may have 100,000 characters (SOQL and SOSL Reference, "SOQL Limits"); conditions need some of them. */
const MAX_FIELD_CHARACTERS = 90_000;

/** Fields of each part: their Id joins them, the stamp says whether a record was the same for both. */
const IN_EACH = ["Id", "SystemModstamp"];

/** A page that others change is read again so often. */
const MAX_ATTEMPTS = 3;

/** Runs a query for fields, with further conditions. */
type Ask = (fields: readonly string[], conditions: readonly string[]) => Promise<Part>;

/** How many queries read the fields of an object, as far as is known. */
export interface FieldSplit {
  parts?: number;
}

/**
 * Reads a page in as many queries as its fields need: Salesforce refuses statements that are too long, and those with
 * too many formulas (QUERY_TOO_COMPLICATED). The first query decides which records the page has; the others read the
 * same ones, which are joined by Id. What was deleted for good in between is left out, as if it had been so before.
 */
export async function readByFields(split: FieldSplit, fields: readonly string[], ask: Ask): Promise<Part> {
  for (let parts = Math.max(split.parts ?? 1, partsByLength(fields)); ; parts *= 2) {
    try {
      const page = parts === 1 ? await ask(fields, []) : await readParts(groupsOf(fields, parts), ask);
      if (parts > 1) split.parts = parts;
      return page;
    } catch (error) {
      if (!isTooComplicated(error) || parts * 2 > fields.length) throw error;
    }
  }
}

function isTooComplicated(error: unknown): boolean {
  return error instanceof SalesforceError && error.errorCode === "QUERY_TOO_COMPLICATED";
}

function partsByLength(fields: readonly string[]): number {
  const characters = fields.reduce((sum, field) => sum + field.length + 2, 0);
  return Math.ceil(characters / MAX_FIELD_CHARACTERS);
}

/** The fields in equal parts, each with those that join them. */
function groupsOf(fields: readonly string[], parts: number): string[][] {
  const others = fields.filter((field) => !IN_EACH.includes(field));
  const size = Math.ceil(others.length / parts);
  return Array.from({ length: parts }, (_, part) => [...IN_EACH, ...others.slice(part * size, (part + 1) * size)]);
}

/** Reads the parts until no record was changed between them. */
async function readParts([first = [], ...others]: string[][], ask: Ask): Promise<Part> {
  for (let attempt = 1; ; attempt += 1) {
    const page = await ask(first, []);
    const range = rangeOf(page.records);
    let records: SourceRecord[] | null = page.records;
    for (const group of others) {
      if (!range || !records) break;
      records = join(records, await readRange(group, range, ask));
    }
    // A page that lost records is not the last one because of that.
    if (records) return { records, done: page.done && records.length === page.records.length };
    if (attempt === MAX_ATTEMPTS) {
      const detail = "The records change faster than all of their fields can be read.";
      throw new SalesforceError("source_error", detail, { transient: true });
    }
  }
}

/** The ids of the first and the last record of a page, in its order. */
interface Range {
  first: string;
  last: string;
}

function rangeOf(records: readonly SourceRecord[]): Range | null {
  const [first, last] = [records.at(0)?.Id, records.at(-1)?.Id];
  return isRecordId(first) && isRecordId(last) ? { first, last } : null;
}

/** All records of a range of ids. An answer may end before its limit, where records are large. */
async function readRange(fields: readonly string[], { first, last }: Range, ask: Ask): Promise<SourceRecord[]> {
  const [after, before] = isAfter(last, first) ? [">", "<"] : ["<", ">"];
  const found: SourceRecord[] = [];
  for (let from = `Id ${after}= ${soqlString(first)}`, reached = ""; ;) {
    const { records, done } = await ask(fields, [from, `Id ${before}= ${soqlString(last)}`]);
    found.push(...records);
    const end = records.at(-1)?.Id;
    if (done || !isRecordId(end) || end === last || end === reached) return found;
    reached = end;
    from = `Id ${after} ${soqlString(end)}`;
  }
}

/** Records with the fields of both parts; null if one of them was changed in between, or none is left. */
function join(records: readonly SourceRecord[], others: readonly SourceRecord[]): SourceRecord[] | null {
  const byId = new Map(others.map((record) => [record.Id, record]));
  const joined: SourceRecord[] = [];
  for (const record of records) {
    const other = byId.get(record.Id);
    if (other && other.SystemModstamp !== record.SystemModstamp) return null;
    if (other) joined.push({ ...record, ...other });
  }
  return joined.length === 0 && records.length > 0 ? null : joined;
}
