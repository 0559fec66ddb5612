import { batchesOf } from "@/lib/batches";
import type { Fill } from "@/lib/migration/report/report-schema";
import { answerWithin } from "@/lib/migration/report/answer-within";
import { migratedOf } from "@/lib/migration/report/survey";
import type { SalesforceClient } from "@/lib/salesforce/client";
import type { FieldDescription } from "@/lib/salesforce/describe";
import { query, select, type SourceRecord } from "@/lib/salesforce/query";

/** One query reads every record once, however many fields it counts. */
const FIELDS_PER_QUERY = 50;

/** Per object. Fields beyond are measured in the sample: the analysis must not use up the org's API requests. */
const MAX_QUERIES = 20;

/** The timeout of all queries of one object: each reads the whole object, and a user waits for the report. */
const COUNTING_MS = 45_000;

/**
 * How many records have a value, by field: counted by Salesforce where it can count the field
 * (`SELECT COUNT(Id), COUNT(Fax), …`, which leaves nulls out), else in the sampled records. Fields that are neither
 * counted nor in the sample are missing.
 */
export async function fillRates(
  client: SalesforceClient,
  object: string,
  read: readonly FieldDescription[],
  records: readonly SourceRecord[],
): Promise<Map<string, Fill>> {
  const fills = new Map(read.map(({ name }) => [name, sampledFill(records, name)]));
  const names = read.filter(({ aggregatable }) => aggregatable).map(({ name }) => name);
  const deadline = performance.now() + COUNTING_MS;
  for (const group of batchesOf(names.slice(0, FIELDS_PER_QUERY * MAX_QUERIES), FIELDS_PER_QUERY)) {
    const left = deadline - performance.now();
    if (left <= 0) break;
    for (const [name, fill] of await countFilled(client, object, group, left)) fills.set(name, fill);
  }
  return fills;
}

function sampledFill(records: readonly SourceRecord[], field: string): Fill {
  const filled = records.filter((record) => record[field] !== null && record[field] !== undefined).length;
  return fillOf(filled, records.length, "sampled");
}

/** Empty if Salesforce refuses to count these fields, or exceeds the timeout. */
async function countFilled(
  client: SalesforceClient,
  object: string,
  names: readonly string[],
  timeoutMs: number,
): Promise<[string, Fill][]> {
  const fields = ["COUNT(Id) records", ...names.map((name, index) => `COUNT(${name}) filled${index}`)];
  const soql = select({ fields, from: object, where: ["IsDeleted = false", ...migratedOf(object)] });
  const page = await answerWithin((signal) => query(client, soql, { all: true, signal }), Math.ceil(timeoutMs));
  const counts = page?.records[0];
  if (!counts) return [];
  const countOf = (name: string) => Number(counts[name]);
  const fills = names.map((name, index): [string, Fill] => [
    name,
    fillOf(countOf(`filled${index}`), countOf("records"), "counted"),
  ]);
  return fills.filter(([, { filled, of }]) => Number.isSafeInteger(filled) && Number.isSafeInteger(of));
}

function fillOf(filled: number, of: number, measured: Fill["measured"]): Fill {
  return { filled, of, rate: of === 0 ? null : Number((filled / of).toFixed(4)), measured };
}
