import { pool, readShortly } from "@/lib/db";
import { JsonText } from "@/lib/operation";
import { writePairCursor } from "@/lib/pair-cursor";
import type { Entity } from "@/lib/records/entity";
import type { ListRequest } from "@/lib/records/list-input";
import { keepPage, keptPage } from "@/lib/records/kept-pages";
import { type ListStatement, listStatement } from "@/lib/records/list-statement";
import { fittingRecords, SEPARATOR } from "@/lib/records/page-bytes";

/**
 * One page of an organization's records as JSON that PostgreSQL has written. The page is one index range that begins behind the cursor, which
 * needs no lookup: it works when the cursor's own record is gone, and what others insert or delete moves no record across it. It ends early where
 * its records are large ({@link fittingRecords}).
 */
export async function listRecords(entity: Entity, organizationId: string, request: ListRequest): Promise<JsonText> {
  const statement = listStatement(entity, organizationId, request);
  const kept = keptPage(statement);
  const { records, last, found, tag, total } = await read(statement, kept?.tag);
  if (kept && kept.tag === tag) return kept.page;
  const fitting = fittingRecords(records);
  // Asked again as what it is, a shorter page: that costs large records twice, and the others nothing.
  if (fitting !== undefined && fitting < Math.min(Number(found), request.limit)) {
    return listRecords(entity, organizationId, { ...request, limit: fitting });
  }
  const page = new JsonText(envelope(records, { last, hasMore: Number(found) > request.limit, total }));
  // A total can change while the page does not.
  if (tag !== null && total === undefined) keepPage(statement, { tag, page });
  return page;
}

type Row = [records: string | null, last: string | null, found: string, tag: string | null, total?: string];

/** `known`: the tag of the page as this process has it. Then the records are empty when they have not changed. */
async function read({ name, text, values: given }: ListStatement, known: string | undefined) {
  const values = known === undefined ? given : [...given.slice(0, -1), known];
  const statement = { text, values, rowMode: "array" as const };
  // A page that has to be written is no short read: it can be megabytes, and would hold up what others ask.
  const isShort = name !== undefined && known !== undefined;
  const { rows } = await (isShort
    ? readShortly<Row>({ name, ...statement })
    : pool().query<Row>({ ...(name !== undefined && { name }), ...statement }));
  const [records, last, found, tag, total] = rows[0] ?? [null, null, "0", null];
  return { records: records ?? "", last: last ?? "", found, tag, total };
}

interface Rest {
  last: string;
  hasMore: boolean;
  total: string | undefined;
}

function envelope(records: string, { last, hasMore, total }: Rest): string {
  const count = total === undefined ? "" : `,"total":${total}`;
  if (!hasMore) return `{"data":[${records}],"next_cursor":null,"has_more":false${count}}`;
  // The record too many follows the last separator.
  const page = records.slice(0, records.lastIndexOf(SEPARATOR));
  return `{"data":[${page}],"next_cursor":"${cursorFrom(last)}","has_more":true${count}}`;
}

/** The last record's id, after its `updated_at` in milliseconds where the list is ordered by it. */
function cursorFrom(last: string): string {
  const [one = "", id] = last.split(" ");
  return id === undefined ? one : writePairCursor(one, id);
}
