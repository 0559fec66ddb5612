import { answerWithin } from "@/lib/migration/report/answer-within";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { type QueryPage, toolingQuery, select, soqlString } from "@/lib/salesforce/query";

export type Row = Record<string, unknown>;

/** How many automations of a kind, or custom objects, are read. */
const MAX_ROWS = 20_000;

/** The rows with these details, or without them if the org does not know one of them. */
export async function readTooling(
  client: SalesforceClient,
  from: string,
  fields: readonly string[],
  details: readonly string[],
): Promise<Row[] | null> {
  return (await listTooling(client, [...fields, ...details], from)) ?? listTooling(client, fields, from);
}

/** The records of an answer; null if the org gives none. */
export async function list(ask: (signal: AbortSignal) => Promise<QueryPage>): Promise<Row[] | null> {
  return (await answerWithin(ask))?.records ?? null;
}

/** Asks for an order only if there is more than one page: few orgs have so many, and some objects cannot be sorted. */
export async function listTooling(
  client: SalesforceClient,
  fields: readonly string[],
  from: string,
): Promise<Row[] | null> {
  const first = await list((signal) => toolingQuery(client, selectFirstPage(fields, from), { signal }));
  if (!first || first.length < MAX_PAGE_RECORDS) return first;
  return (await listInOrder(client, fields, from)) ?? first;
}

async function listInOrder(client: SalesforceClient, fields: readonly string[], from: string): Promise<Row[] | null> {
  const found: Row[] = [];
  while (found.length < MAX_ROWS) {
    const last = found.at(-1)?.Id;
    const where = last === undefined ? [] : [`Id > ${soqlString(String(last))}`];
    const soql = select({ fields, from, where, orderBy: "Id", limit: MAX_PAGE_RECORDS });
    const page = await list((signal) => toolingQuery(client, soql, { signal }));
    if (!page) return null;
    found.push(...page);
    if (page.length < MAX_PAGE_RECORDS) break;
  }
  return found;
}

/** The first page. Flows cannot be paged, so for them it has to do. */
export function selectFirstPage(fields: readonly string[], from: string): string {
  return select({ fields, from, limit: MAX_PAGE_RECORDS });
}
