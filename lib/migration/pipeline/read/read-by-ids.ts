import { batchesOf } from "@/lib/batches";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { assertPages } from "@/lib/migration/pipeline/read/assert-page";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { conditionsOf, type Window } from "@/lib/migration/pipeline/read/window";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { type SourceRecord, soqlIn } from "@/lib/salesforce/query";
import { isFieldHidden, isObjectHidden } from "@/lib/salesforce/refusals";

/** Ids per query: the statement must fit into a URL, and an aggregate query returns at most 2,000 groups. */
export const IDS_PER_QUERY = 400;

interface ReadByIds {
  from: string;
  /** The field with the ids. */
  key: string;
  fields: readonly string[];
  /** Further conditions. */
  where?: readonly string[];
  /** Whether deleted and archived records are read, too. */
  all?: boolean;
  pageRecords?: number;
}

/**
 * Reads what is archived, which `query` leaves out, and nothing of the recycle bin, of which `query` gives attachments
 * to administrators (Object Reference, Attachment, ContentVersion).
 */
export const EXISTING = { where: ["IsDeleted = false"], all: true } as const;

/**
 * The records whose `key` is one of the ids, with that key and their Id, in pages. None if the Salesforce user may not
 * see the object or one of the fields.
 */
export async function* pagesByIds(
  client: SalesforceClient,
  { from, key, fields, where = [], all = false, pageRecords = MAX_PAGE_RECORDS }: ReadByIds,
  ids: readonly string[],
): AsyncGenerator<SourceRecord[]> {
  try {
    for (const some of batchesOf(ids, IDS_PER_QUERY)) {
      const read = {
        from,
        fields: [...new Set(["Id", key, ...fields])],
        where: [soqlIn(key, some), ...where],
        after: null,
        all,
        size: { records: pageRecords },
      };
      const pages = readByKeyset(client, read);
      yield* key === "Id" ? assertPages(from, pages, some.length) : pages;
    }
  } catch (error) {
    if (!isObjectHidden(error) && !isFieldHidden(error)) throw error;
  }
}

/** {@link pagesByIds}, all at once. */
export async function readByIds(
  client: SalesforceClient,
  read: ReadByIds,
  ids: readonly string[],
): Promise<SourceRecord[]> {
  const found: SourceRecord[] = [];
  for await (const page of pagesByIds(client, read, ids)) found.push(...page);
  return found;
}

/** How the records of an object were read. */
interface ReadObject {
  client: SalesforceClient;
  plan: Pick<Plan, "object" | "select">;
  window: Window;
}

/** Reads records of an object again by their ids, as far as they are in the window of the run, in the order of Id. */
export async function* readAgain(
  { client, plan: { object, select }, window }: ReadObject,
  ids: readonly string[],
  fields: readonly string[] = select,
): AsyncGenerator<SourceRecord[]> {
  for (const some of batchesOf(ids, IDS_PER_QUERY)) {
    const pages = readByKeyset(client, {
      from: object.name,
      fields,
      where: [soqlIn("Id", some), ...conditionsOf(object.name, window)],
      after: null,
      all: true,
      size: { records: object.maxPageRecords ?? MAX_PAGE_RECORDS },
    });
    yield* assertPages(object.name, pages, some.length);
  }
}
