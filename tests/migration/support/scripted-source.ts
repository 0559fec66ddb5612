import { Headers } from "undici";
import type { z } from "zod";

import type { Answer, SalesforceClient, StreamedAnswer } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import type { SourceRecord } from "@/lib/salesforce/query";

const NUMBERS = new Set(["AnnualRevenue", "NumberOfEmployees", "CallDurationInSeconds", "DurationInMinutes"]);

/**
 * A source whose records a test defines one by one, for cases that the generated records of the sandbox org lack. It
 * answers only the statements that the pipeline sends.
 */
export class ScriptedSource implements SalesforceClient {
  readonly origin = "https://scripted.my.salesforce.com";
  readonly apiVersion = "67.0";
  readonly dataPath = "/services/data/v67.0";
  usage: SalesforceClient["usage"] = null;
  requests = 0;
  /** The time of the source. */
  now = new Date("2026-06-01T12:00:00Z");
  /** Called with the statement before each query, which waits for it. It may throw or change the records. */
  beforeQuery: (soql: string) => unknown = () => undefined;

  readonly records: Record<string, SourceRecord[]>;
  /** Of which only the list of deletions tells. */
  readonly purged: Record<string, SourceRecord[]> = {};

  /** Feeds are empty unless they are given. */
  constructor(records: Record<string, SourceRecord[]>) {
    this.records = records;
    records.FeedItem ??= [];
    records.FeedComment ??= [];
  }

  async request(): Promise<Answer> {
    this.requests += 1;
    return { status: 200, headers: new Headers({ date: this.now.toUTCString() }), text: "{}" };
  }

  async stream(): Promise<StreamedAnswer> {
    throw new SalesforceError("source_error", "This source has no Bulk API.", { status: 404 });
  }

  async json<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    { body }: { body?: string } = {},
  ): Promise<z.output<Schema>> {
    this.requests += 1;
    if (path.endsWith("/composite")) return schema.parse(await this.#composite(JSON.parse(body ?? "")));
    const described = /\/sobjects\/(\w+)\/describe$/.exec(path)?.[1];
    if (described) return schema.parse(this.#describe(described));
    const [, changed = "", change] = /\/sobjects\/(\w+)\/(updated|deleted)\?/.exec(path) ?? [];
    if (change) return schema.parse(this.#changedIn(changed, change, new URL(path, this.origin).searchParams));
    return schema.parse(await this.#query(path));
  }

  /** Statements that are too long for a URL. */
  async #composite({ compositeRequest }: { compositeRequest: { url: string; referenceId: string }[] }) {
    const answers = compositeRequest.map(async ({ url, referenceId }) => ({
      referenceId,
      httpStatusCode: 200,
      httpHeaders: {},
      body: await this.#query(url),
    }));
    return { compositeResponse: await Promise.all(answers) };
  }

  #describe(name: string) {
    const names = new Set(this.#recordsOf(name).flatMap((record) => Object.keys(record)));
    const fields = [...names].map((field) => ({
      name: field,
      label: field,
      type: NUMBERS.has(field) ? "double" : field.endsWith("_Encrypted__c") ? "encryptedstring" : "string",
    }));
    return { name, label: name, fields };
  }

  #recordsOf(name: string): SourceRecord[] {
    const records = this.records[name];
    if (!records)
      throw new SalesforceError("source_error", `Salesforce answered INVALID_TYPE: ${name}`, {
        status: 400,
        errorCode: "INVALID_TYPE",
      });
    return records;
  }

  #changedIn(name: string, change: string, period: URLSearchParams) {
    const [start, end] = ["start", "end"].map((bound) => Date.parse(period.get(bound) ?? ""));
    const ids = [...this.#recordsOf(name), ...(this.purged[name] ?? [])]
      .filter((record) => modified(record) >= (start ?? NaN) && modified(record) < (end ?? NaN))
      .filter(({ IsDeleted }) => (IsDeleted === true) === (change === "deleted"))
      .map(({ Id }) => Id);
    return { ids, deletedRecords: ids.map((id) => ({ id })) };
  }

  async #query(path: string) {
    const soql = new URL(path, this.origin).searchParams.get("q") ?? "";
    await this.beforeQuery(soql);
    const found = this.#matching(soql, path.includes("/queryAll?"));
    if (soql.startsWith("SELECT COUNT()")) return { totalSize: found.length, done: true, records: [] };
    // A parent is answered as a whole: `Relation` for `Relation.Name`.
    const fields = part(soql, /SELECT (.*) FROM/)
      .split(", ")
      .map((field) => field.split(".")[0] ?? field);
    const page = found.slice(0, Number(part(soql, /LIMIT (\d+)/) || 2000));
    const records = page.map((record) => ({
      ...Object.fromEntries(fields.map((field) => [field, record[field] ?? null])),
      // Each record of a grouped query is a group of its own.
      ...(soql.includes(" GROUP BY ") && { records: 1 }),
    }));
    return { totalSize: records.length, done: true, records };
  }

  /** Posts, which are deleted for good, and cannot be filtered by their stamp. */
  #posts(soql: string): SourceRecord[] {
    if (/WHERE .*SystemModstamp/.test(soql)) {
      const detail = "field 'SystemModstamp' can not be filtered in a query call";
      throw new SalesforceError("source_error", detail, { status: 400, errorCode: "INVALID_FIELD" });
    }
    const after = part(soql, /\bId > '(\w+)'/);
    const [, key = "Id", among = ""] = /(\w+) IN \((.*?)\)/.exec(soql) ?? [];
    const [from, end] = [timeIn(soql, /CreatedDate >= ([\d:TZ-]+)/), timeIn(soql, /CreatedDate < ([\d:TZ-]+)/)];
    const editedFrom = timeIn(soql, /LastEditDate >= ([\d:TZ-]+)/);
    const editedEnd = timeIn(soql, /LastEditDate < ([\d:TZ-]+)/);
    const isWritten = (record: SourceRecord) => !(created(record) < from) && !(created(record) >= end);
    const isEdited = (record: SourceRecord) => edited(record) >= editedFrom && !(edited(record) >= editedEnd);
    const isMatching = (record: SourceRecord) => {
      if (soql.includes("LastEditDate = null")) return isWritten(record) && !(edited(record) >= editedEnd);
      if (soql.includes(" OR (LastEditDate")) return isWritten(record) || isEdited(record);
      return isWritten(record) && (Number.isNaN(editedFrom) || isEdited(record));
    };
    return this.#recordsOf("FeedItem")
      .filter(({ Id, IsDeleted }) => IsDeleted !== true && String(Id) > after)
      .filter((record) => among === "" || among.includes(`'${String(record[key])}'`))
      .filter(isMatching)
      .toSorted((one, other) => (String(one.Id) < String(other.Id) ? -1 : 1));
  }

  #matching(soql: string, all: boolean): SourceRecord[] {
    if (soql.includes(" FROM FeedItem ")) return this.#posts(soql);
    const [, order = "Id", after = ""] = /(\w*Id) > '(\w+)'/.exec(soql) ?? [];
    const [, key = "Id", among = ""] = /(\w+) IN \((.*?)\)/.exec(soql) ?? [];
    const livingOnly = /IsDeleted = false(?! OR)/.test(soql);
    const flags = [...soql.matchAll(/(IsRecurrence|IsChild) = (true|false)/g)];
    const ends = [...soql.matchAll(/CreatedDate < ([\d:TZ-]+)/g)].map(([, moment]) => Date.parse(moment ?? ""));
    const from = Date.parse(part(soql, /CreatedDate >= ([\d:TZ-]+)/));
    const keptSince = Date.parse(part(soql, /SystemModstamp >= ([\d:TZ-]+)/));
    const before = Date.parse(part(soql, /SystemModstamp < ([\d:TZ-]+)/));
    const changedSince = Date.parse(part(soql, /AND SystemModstamp >= ([\d:TZ-]+)/));
    const isAmong = (record: SourceRecord) => among === "" || among.includes(`'${String(record[key])}'`);
    if (soql.includes("MasterRecordId != null"))
      return this.#recordsOf(part(soql, /FROM (\w+)/))
        .filter((record) => String(record[order]) > after && isAmong(record) && record.MasterRecordId)
        .filter(({ IsDeleted }) => IsDeleted === soql.includes("IsDeleted = true"));
    if (before)
      return this.#recordsOf(part(soql, /FROM (\w+)/))
        .filter((record) => String(record[order]) > after && isAmong(record))
        .filter(({ IsDeleted }) => !soql.includes("IsDeleted") || IsDeleted === soql.includes("IsDeleted = true"))
        .filter((record) => !(modified(record) < keptSince) && modified(record) < before)
        .toSorted((one, other) => (String(one.Id) < String(other.Id) ? -1 : 1));
    return this.#recordsOf(part(soql, /FROM (\w+)/))
      .filter((record) => String(record[order]) > after && isAmong(record))
      .filter((record) => flags.every(([, flag = "", wanted]) => String(record[flag] === true) === wanted))
      .filter((record) => !(created(record) < from) && !ends.some((end) => created(record) >= end))
      .filter((record) => !(modified(record) < changedSince))
      .filter(
        ({ IsDeleted, SystemModstamp }) =>
          IsDeleted !== true ||
          (all && !soql.includes("IsDeleted")) ||
          (!livingOnly && Date.parse(String(SystemModstamp)) >= keptSince),
      )
      .toSorted((one, other) => (String(one.Id) < String(other.Id) ? -1 : 1));
  }
}

function created({ CreatedDate }: SourceRecord): number {
  return Date.parse(String(CreatedDate));
}

function modified({ SystemModstamp }: SourceRecord): number {
  return Date.parse(String(SystemModstamp));
}

function edited({ LastEditDate }: SourceRecord): number {
  return Date.parse(String(LastEditDate));
}

/** NaN, which is neither before nor after any time, if the statement has none. */
function timeIn(soql: string, pattern: RegExp): number {
  return Date.parse(part(soql, pattern));
}

function part(soql: string, pattern: RegExp): string {
  return pattern.exec(soql)?.[1] ?? "";
}

let counter = 0;

/** An id of 18 characters with a key prefix: `sourceId("001", 7)`. */
export function sourceId(prefix: string, number: number = ++counter): string {
  return `${prefix}M0000${String(number).padStart(7, "0")}AAA`;
}

/** A record with an id and dates; `fields` take precedence. */
export function sourceRecord(prefix: string, number: number, fields: SourceRecord = {}): SourceRecord {
  const minute = String(number % 60).padStart(2, "0");
  return {
    Id: sourceId(prefix, number),
    IsDeleted: false,
    CreatedDate: `2024-03-01T09:${minute}:00.000+0000`,
    LastModifiedDate: `2025-03-01T09:${minute}:00.000+0000`,
    SystemModstamp: `2025-03-01T09:${minute}:00.000+0000`,
    ...fields,
  };
}
