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
  const { records, last, found, total } = await readPage(listStatement(entity, organizationId, request));
  const fitting = fittingRecords(records);
  // Asked again as what it is, a shorter page: that costs large records twice, and the others nothing.
  if (fitting !== undefined && fitting < Math.min(found, request.limit)) {
    return listRecords(entity, organizationId, { ...request, limit: fitting });
  }
  const count = total === undefined ? "" : `,"total":${total}`;
  if (found <= request.limit) return new JsonText(`{"data":[${records}],"next_cursor":null,"has_more":false${count}}`);
  // The record too many follows the last separator.
  const page = records.slice(0, records.lastIndexOf(SEPARATOR));
  return new JsonText(`{"data":[${page}],"next_cursor":"${cursorFrom(last)}","has_more":true${count}}`);
}

interface Page {
  records: string;
  last: string;
  found: number;
  total: string | undefined;
}

type PageRow = [records: string | null, last: string | null, found: string, tag: string | null, total?: string];

/** Reads a page, of which PostgreSQL writes only what this process does not have already as it is now. */
async function readPage(statement: ListStatement): Promise<Page> {
  const kept = keptPage(statement);
  const { rows } = await read({ ...statement, values: kept ? [...statement.values.slice(0, -1), kept.tag] : statement.values, rowMode: "array" });
  const [written, last, found, tag, total] = rows[0] ?? [null, null, "0", null];
  const records = kept && kept.tag === tag ? kept.records : (written ?? "");
  if (tag !== null && tag !== kept?.tag) keepPage(statement, { tag, records });
  return { records, last: last ?? "", found: Number(found), total };
}

function read({ name, ...statement }: ListStatement & { rowMode: "array" }): Promise<{ rows: PageRow[] }> {
  return name === undefined ? pool().query<PageRow>(statement) : readShortly<PageRow>({ name, ...statement });
}

/** The last record's id, after its `updated_at` in milliseconds where the list is ordered by it. */
function cursorFrom(last: string): string {
  const [one = "", id] = last.split(" ");
  return id === undefined ? one : writePairCursor(one, id);
}
