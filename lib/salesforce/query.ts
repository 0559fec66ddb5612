import { z } from "zod";

import { isObject, type ResponseBound } from "@/lib/input/bounded-json";
import { MAX_PAGE_RECORDS, PAGE, SMALL } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { errorOfAnswer } from "@/lib/salesforce/errors";
import { isRequestTooLong } from "@/lib/salesforce/refusals";

/** A record as a query returns it: the selected fields, related parents, and `attributes`. */
export type SourceRecord = Record<string, unknown>;

// Checking every field of every record would cost more than the query.
const records = z.custom<SourceRecord[]>(
  (value) => Array.isArray(value) && value.length <= MAX_PAGE_RECORDS && value.every(isObject),
);

const page = z.object({ totalSize: z.number().int().nonnegative(), done: z.boolean(), records });

const composite = z.object({
  compositeResponse: z.array(z.object({ httpStatusCode: z.number(), body: z.unknown() })).length(1),
});

export type QueryPage = z.output<typeof page>;

export interface QueryOptions {
  /** queryAll: archived activities and deleted records too. Add `IsDeleted = false` to leave the deleted ones out. */
  all?: boolean;
  signal?: AbortSignal;
  /** The limits of the answer; by default {@link PAGE}. */
  bound?: ResponseBound;
}

/**
 * Salesforce refuses a request line and headers of more than 16,384 bytes together with 414 or 431. Beside this path, a
 * session id has room, but not each token that is a JWT.
 */
const MAX_PATH_LENGTH = 14_000;

/** The length of the shortest path that was refused as too long, so that not each page is asked for twice. */
const refusedLengths = new WeakMap<SalesforceClient, number>();

/**
 * Runs a SOQL statement and returns its first page. For more pages see read-by-keyset.ts, which queries `Id > last`.
 */
export async function query(
  client: SalesforceClient,
  soql: string,
  { all, signal, bound = PAGE }: QueryOptions = {},
): Promise<QueryPage> {
  const path = `${client.dataPath}/${all ? "queryAll" : "query"}?q=${encodeURIComponent(soql)}`;
  const options = { bound, ...(signal && { signal }) };
  const refused = refusedLengths.get(client) ?? Infinity;
  if (path.length > MAX_PATH_LENGTH || path.length >= refused) return viaComposite(client, path, options);
  return client.json(path, page, options).catch((error: unknown) => {
    if (!isRequestTooLong(error)) throw error;
    refusedLengths.set(client, Math.min(path.length, refusedLengths.get(client) ?? Infinity));
    return viaComposite(client, path, options);
  });
}

/** The answer to a `SELECT COUNT() FROM …`. */
export async function count(client: SalesforceClient, soql: string, options: QueryOptions = {}): Promise<number> {
  return (await query(client, soql, { bound: SMALL, ...options })).totalSize;
}

/** Runs a statement against the Tooling API, first page only. */
export function toolingQuery(
  client: SalesforceClient,
  soql: string,
  { signal }: Pick<QueryOptions, "signal"> = {},
): Promise<QueryPage> {
  const path = `${client.dataPath}/tooling/query?q=${encodeURIComponent(soql)}`;
  return client.json(path, page, { bound: PAGE, ...(signal && { signal }) });
}

/** Sends a statement that is too long for a URL in the body of a composite request, as its only subrequest. */
async function viaComposite(
  client: SalesforceClient,
  url: string,
  options: Pick<QueryOptions, "signal" | "bound">,
): Promise<QueryPage> {
  const subrequest = { method: "GET", url, referenceId: "query" };
  const { compositeResponse } = await client.json(`${client.dataPath}/composite`, composite, {
    method: "POST",
    repeatable: true,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ compositeRequest: [subrequest] }),
    ...options,
  });
  const [answer] = compositeResponse;
  if (!answer || answer.httpStatusCode >= 300)
    throw errorOfAnswer(answer?.httpStatusCode ?? 500, JSON.stringify(answer?.body ?? null));
  if (!page.validate(answer.body)) throw errorOfAnswer(answer.httpStatusCode, JSON.stringify(answer.body));
  return page.parse(answer.body);
}

const NAME = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*$/;

const ESCAPES: Record<string, string> = {
  "\\": "\\\\",
  "'": "\\'",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
};

/** A SOQL string literal, quotes included (SOQL and SOSL Reference, "Quoted String Escape Sequences"). */
export function soqlString(value: string): string {
  return `'${value.replace(/[\\'"\n\r\t\b\f]/g, (character) => ESCAPES[character] ?? character)}'`;
}

/** A SOQL condition: the field has one of these values. */
export function soqlIn(field: string, values: readonly string[]): string {
  return `${field} IN (${values.map(soqlString).join(", ")})`;
}

/** A SOQL date-time literal, which is not quoted. */
export function soqlDateTime(value: Date): string {
  return value.toISOString().replace(/\.\d{3}Z$/, "Z");
}

export interface Select {
  fields: readonly string[];
  from: string;
  /** Joined with AND. Build values with {@link soqlString}. */
  where?: readonly string[];
  groupBy?: readonly string[];
  orderBy?: string;
  limit?: number;
}

/** A function of one field, with an alias or not. */
const FUNCTION = /^(?:COUNT(?:_DISTINCT)?|SUM|CALENDAR_YEAR)\(\w*\)(?: \w+)?$/i;

/** One SELECT statement. Throws on an invalid field or object name, so that no mapping of a user can extend a query. */
export function select({ fields, from, where = [], groupBy = [], orderBy, limit }: Select): string {
  const called = [...groupBy, ...fields].filter((field) => !FUNCTION.test(field));
  for (const name of [from, ...called]) {
    if (!NAME.test(name)) throw new RangeError(`${JSON.stringify(name)} is not a field or object name.`);
  }
  return [
    `SELECT ${fields.join(", ")} FROM ${from}`,
    where.length > 0 && `WHERE ${where.join(" AND ")}`,
    groupBy.length > 0 && `GROUP BY ${groupBy.join(", ")}`,
    orderBy && `ORDER BY ${orderBy}`,
    limit !== undefined && `LIMIT ${limit}`,
  ]
    .filter(Boolean)
    .join(" ");
}
