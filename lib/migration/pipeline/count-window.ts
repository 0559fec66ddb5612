import { LARGEST_PAGE } from "@/lib/migration/page-size";
import { readByKeyset } from "@/lib/migration/pipeline/read-by-keyset";
import { isTooMuch } from "@/lib/migration/pipeline/too-much";
import { conditionsOf, type Window } from "@/lib/migration/pipeline/window";
import type { MigratedObjectName } from "@/lib/migration/schemas";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { count } from "@/lib/salesforce/query";
import { select, soqlDateTime } from "@/lib/salesforce/soql";

const DAY = 86_400_000;

/**
 * How many records of an object the window holds. A count that is too much for the source is made of the counts of both halves in time;
 * where not even a day can be counted, all ids are read, which a source always answers in pages.
 */
export async function countWindow(client: SalesforceClient, object: MigratedObjectName, window: Window): Promise<number> {
  try {
    return await countBetween(client, object, window, { from: null, to: window.until });
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    return countIds(client, object, window);
  }
}

async function countIds(client: SalesforceClient, object: MigratedObjectName, window: Window): Promise<number> {
  const read = { from: object, fields: ["Id"], where: conditionsOf(window), after: null, all: true, size: { records: LARGEST_PAGE } };
  let records = 0;
  for await (const page of readByKeyset(client, read)) records += page.length;
  return records;
}

interface Span {
  /** Null: from the beginning. */
  from: Date | null;
  to: Date;
}

async function countBetween(client: SalesforceClient, object: MigratedObjectName, window: Window, { from, to }: Span): Promise<number> {
  const where = [
    ...conditionsOf(window),
    ...(from ? [`CreatedDate >= ${soqlDateTime(from)}`] : []),
    ...(to < window.until ? [`CreatedDate < ${soqlDateTime(to)}`] : []),
  ];
  try {
    return await count(client, select({ fields: ["COUNT()"], from: object, where }), { all: true });
  } catch (error) {
    const start = from?.getTime() ?? 0;
    if (!isTooMuch(error) || to.getTime() - start < DAY) throw error;
    // Whole seconds, since that is what the literal holds.
    const middle = new Date(Math.floor((start + to.getTime()) / 2000) * 1000);
    const earlier = await countBetween(client, object, window, { from, to: middle });
    return earlier + (await countBetween(client, object, window, { from: middle, to }));
  }
}
