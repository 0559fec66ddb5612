import { pool } from "@/lib/db";
import { JsonText } from "@/lib/operation";
import { writePairCursor } from "@/lib/pair-cursor";
import type { Entity } from "@/lib/records/entity";
import type { ListRequest } from "@/lib/records/list-input";
import { listStatement } from "@/lib/records/list-statement";
import { fittingRecords, SEPARATOR } from "@/lib/records/page-bytes";

/**
 * One page of an organization's records as JSON that PostgreSQL has written. The page is one index range that begins behind the cursor, which
 * needs no lookup: it works when the cursor's own record is gone, and what others insert or delete moves no record across it. It ends early where
 * its records are large ({@link fittingRecords}).
 */
export async function listRecords(entity: Entity, organizationId: string, request: ListRequest): Promise<JsonText> {
  const { rows } = await pool().query<[records: string | null, last: string | null, found: string, total?: string]>({
    ...listStatement(entity, organizationId, request),
    rowMode: "array",
  });
  const [records, last, found, total] = rows[0] ?? [null, null, "0"];
  const fitting = fittingRecords(records ?? "");
  // Asked again as what it is, a shorter page: that costs large records twice, and the others nothing.
  if (fitting !== undefined && fitting < Math.min(Number(found), request.limit)) {
    return listRecords(entity, organizationId, { ...request, limit: fitting });
  }
  const count = total === undefined ? "" : `,"total":${total}`;
  if (Number(found) <= request.limit) return new JsonText(`{"data":[${records ?? ""}],"next_cursor":null,"has_more":false${count}}`);
  // The record too many follows the last separator.
  const page = records?.slice(0, records.lastIndexOf(SEPARATOR));
  return new JsonText(`{"data":[${page}],"next_cursor":"${cursorFrom(last ?? "")}","has_more":true${count}}`);
}

/** The last record's id, after its `updated_at` in milliseconds where the list is ordered by it. */
function cursorFrom(last: string): string {
  const [one = "", id] = last.split(" ");
  return id === undefined ? one : writePairCursor(one, id);
}
