import type { BulkProgress } from "@/lib/migration/pipeline/progress";
import type { BulkSelect } from "@/lib/migration/pipeline/read/bulk-job";
import { MAX_PAGE_CHARACTERS, type PageSize } from "@/lib/migration/pipeline/read/read-by-keyset";
import { openResultPage, valueOfCell } from "@/lib/salesforce/bulk-query";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { isAfter, isRecordId } from "@/lib/salesforce/ids";
import type { SourceRecord } from "@/lib/salesforce/query";

const MIN_RESULT_RECORDS = 500;

/** Records per page of results: five times what one request brings over REST. */
export const MAX_RESULT_RECORDS = 10_000;

/** Of large records fewer, because each slice opens a page again, and passes over what is stored. */
function resultRecords({ records }: PageSize): number {
  return Math.min(MAX_RESULT_RECORDS, Math.max(MIN_RESULT_RECORDS, 10 * records));
}

export interface BulkRead extends BulkSelect {
  /** The types of the fields, as described. */
  types: Readonly<Record<string, string>>;
  after: string | null;
  size: PageSize;
  /** As in {@link readByKeyset}. */
  complete?: (records: SourceRecord[]) => Promise<void>;
}

interface BulkPage {
  records: SourceRecord[];
  /** The progress to store together with the page. */
  bulkJob: BulkProgress;
}

/**
 * Reads the results of a complete job in the order of Id, as {@link readByKeyset} does. Results are parsed while they
 * arrive; memory has one page of records. What was stored before a stop is passed over by its ids.
 */
export async function* readByBulk(
  client: SalesforceClient,
  read: BulkRead,
  progress: BulkProgress,
): AsyncGenerator<BulkPage> {
  const { job } = progress;
  if (!job) return;
  const abort = new AbortController();
  try {
    const batch = new Batch(read);
    for (let locator = job.locator, seen = 0; ;) {
      const records = resultRecords(read.size);
      const page = await openResultPage(client, job.id, { locator, records, signal: abort.signal });
      // A page that was stored ends a row of failures.
      const bulkJob = { ...progress, failures: 0, job: { ...job, locator } };
      const columns = columnsOf(read, page.header);
      for await (const rows of page.rows) {
        seen += rows.length;
        for (const row of rows) {
          if (!batch.add(columns, row)) continue;
          yield { records: await batch.take(), bulkJob };
          progress.failures = 0;
        }
      }
      if (page.next === null || seen > job.requested) {
        if (!batch.isEmpty) yield { records: await batch.take(), bulkJob };
        return;
      }
      locator = page.next;
    }
  } finally {
    abort.abort();
  }
}

/** How the rows of a page of results become records. */
interface Columns {
  id: number;
  fields: { name: string; at: number; valueOf: (cell: string) => unknown }[];
  width: number;
  /** Has all fields already: a copy of it is much faster than an object that grows field by field. */
  template: SourceRecord;
}

function columnsOf({ from, fields, types }: BulkRead, header: readonly string[]): Columns {
  const places = new Map(header.map((name, at) => [name.toLowerCase(), at]));
  const found = fields.map((name) => ({
    name,
    at: places.get(name.toLowerCase()) ?? -1,
    valueOf: valueOfCell(types[name] ?? "string"),
  }));
  const missing = found.find(({ at }) => at < 0);
  if (missing) {
    const detail = `Salesforce returned no column ${missing.name} of ${from}.`;
    throw new SalesforceError("source_error", detail, { errorCode: "MISSING_COLUMN" });
  }
  return {
    id: places.get("id") ?? 0,
    fields: found,
    width: header.length,
    template: JSON.parse(JSON.stringify(Object.fromEntries(fields.map((name) => [name, null])))) as SourceRecord,
  };
}

/** The records of the next page. */
class Batch {
  #records: SourceRecord[] = [];
  #characters = 0;
  #last: string | null = null;

  constructor(private readonly read: BulkRead) {}

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  /** Adds a row, unless it is stored already. True: the page is full. */
  add(columns: Columns, row: readonly string[]): boolean {
    const id = row[columns.id] ?? "";
    if (row.length !== columns.width || !isRecordId(id)) throw this.#refusal("a row without an id of a record");
    if (this.#last !== null && !isAfter(id, this.#last)) throw this.#refusal(`${id} behind ${this.#last}`);
    this.#last = id;
    if (this.read.after !== null && !isAfter(id, this.read.after)) return false;
    this.#records.push(this.#recordOf(columns, row));
    return this.#records.length >= this.read.size.records || this.#characters >= MAX_PAGE_CHARACTERS;
  }

  #recordOf({ template, fields }: Columns, row: readonly string[]): SourceRecord {
    const record: SourceRecord = { ...template };
    for (const { name, at, valueOf } of fields) {
      const cell = row[at] ?? "";
      this.#characters += cell.length;
      if (cell !== "") record[name] = valueOf(cell);
    }
    return record;
  }

  async take(): Promise<SourceRecord[]> {
    const records = this.#records;
    this.#records = [];
    this.#characters = 0;
    await this.read.complete?.(records);
    return records;
  }

  #refusal(what: string): SalesforceError {
    const detail = `The results of the job for ${this.read.from} have ${what}.`;
    return new SalesforceError("source_error", detail, { errorCode: "UNORDERED_RESULTS" });
  }
}
