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
  /** Called with the statement before each query. It may throw or change the records. */
  beforeQuery: (soql: string) => void = () => undefined;

  readonly records: Record<string, SourceRecord[]>;

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
    if (path.endsWith("/composite")) return schema.parse(this.#composite(JSON.parse(body ?? "")));
    const described = /\/sobjects\/(\w+)\/describe$/.exec(path)?.[1];
    if (described) return schema.parse(this.#describe(described));
    return schema.parse(this.#query(new URL(path, this.origin).searchParams.get("q") ?? ""));
  }

  /** Statements that are too long for a URL. */
  #composite({ compositeRequest }: { compositeRequest: { url: string; referenceId: string }[] }) {
    return {
      compositeResponse: compositeRequest.map(({ url, referenceId }) => ({
        referenceId,
        httpStatusCode: 200,
        httpHeaders: {},
        body: this.#query(new URL(url, this.origin).searchParams.get("q") ?? ""),
      })),
    };
  }

  #describe(name: string) {
    const names = new Set(this.#recordsOf(name).flatMap((record) => Object.keys(record)));
    const fields = [...names].map((field) => ({
      name: field,
      label: field,
      type: NUMBERS.has(field) ? "double" : "string",
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

  #query(soql: string) {
    this.beforeQuery(soql);
    const found = this.#matching(soql);
    if (soql.startsWith("SELECT COUNT()")) return { totalSize: found.length, done: true, records: [] };
    const fields = part(soql, /SELECT (.*) FROM/).split(", ");
    const page = found.slice(0, Number(part(soql, /LIMIT (\d+)/) || 2000));
    const records = page.map((record) => Object.fromEntries(fields.map((field) => [field, record[field] ?? null])));
    return { totalSize: records.length, done: true, records };
  }

  #matching(soql: string): SourceRecord[] {
    const [, order = "Id", after = ""] = /(\w*Id) > '(\w+)'/.exec(soql) ?? [];
    const [, key = "Id", among = ""] = /(\w+) IN \((.*?)\)/.exec(soql) ?? [];
    const livingOnly = /IsDeleted = false(?! OR)/.test(soql);
    const flags = [...soql.matchAll(/(IsRecurrence|IsChild) = (true|false)/g)];
    const ends = [...soql.matchAll(/CreatedDate < ([\d:TZ-]+)/g)].map(([, moment]) => Date.parse(moment ?? ""));
    const from = Date.parse(part(soql, /CreatedDate >= ([\d:TZ-]+)/));
    const keptSince = Date.parse(part(soql, /SystemModstamp >= ([\d:TZ-]+)/));
    const before = Date.parse(part(soql, /SystemModstamp < ([\d:TZ-]+)/));
    const isAmong = (record: SourceRecord) => among === "" || among.includes(`'${String(record[key])}'`);
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
      .filter(
        ({ IsDeleted, SystemModstamp }) =>
          IsDeleted !== true || (!livingOnly && Date.parse(String(SystemModstamp)) >= keptSince),
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
