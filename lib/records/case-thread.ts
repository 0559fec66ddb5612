import { pool } from "@/lib/db";
import { JsonText } from "@/lib/operation";
import { MAXIMUM_LIMIT } from "@/lib/page";
import { type PairCursor, writePairCursor } from "@/lib/pair-cursor";
import { caseComment } from "@/lib/records/entities/case-comment";
import { supportCase } from "@/lib/records/entities/case";
import { noSuchRecord } from "@/lib/records/get-record";
import { fittingRecords, SEPARATOR } from "@/lib/records/page-bytes";
import { selectList } from "@/lib/records/select-json";

const NEXT = `
  SELECT ${selectList(caseComment)} FROM case_comments
  WHERE organization_id = $1 AND case_id = $2 AND (position, id) > ($3::bigint, $4::uuid) ORDER BY position, id LIMIT ${MAXIMUM_LIMIT + 1}`;

/** $5: limit + 1. The constant limit within lets the planner see that only a page is wanted. */
export const THREAD_PAGE = `
  SELECT string_agg(row_to_json(page)::text, E',\\n' ORDER BY page.position, page.id) AS comments,
    (array_agg(page.position || ' ' || page.id ORDER BY page.position, page.id))[$5 - 1] AS last, count(*)::int AS found,
    EXISTS (SELECT FROM cases WHERE organization_id = $1 AND id = $2) AS is_there
  FROM (SELECT * FROM (${NEXT}) AS next ORDER BY position, id LIMIT $5) AS page`;

interface PageRow {
  comments: string | null;
  last: string | null;
  found: number;
  is_there: boolean;
}

const BEGINNING: PairCursor = { number: "0", id: "00000000-0000-0000-0000-000000000000" };

/**
 * One page of a case's thread in its order, as JSON that PostgreSQL has written: one range of an index, whatever the depth. It ends
 * early where comments are large. Throws `not_found` where the organization has no such case.
 */
export async function listThread(organizationId: string, caseId: string, limit: number, cursor: PairCursor = BEGINNING): Promise<JsonText> {
  const values = [organizationId, caseId, cursor.number, cursor.id, limit + 1];
  const { rows } = await pool().query<PageRow>({ name: "list thread", text: THREAD_PAGE, values });
  const [row] = rows;
  if (!row?.is_there) throw noSuchRecord(supportCase);
  const fitting = fittingRecords(row.comments ?? "");
  if (fitting !== undefined && fitting < Math.min(row.found, limit)) return listThread(organizationId, caseId, fitting, cursor);
  return new JsonText(envelope(row, limit));
}

function envelope({ comments, last, found }: PageRow, limit: number): string {
  const data = comments ?? "";
  if (found <= limit) return `{"data":[${data}],"next_cursor":null,"has_more":false}`;
  const [position = "", id = ""] = last?.split(" ") ?? [];
  // The comment too many follows the last separator.
  return `{"data":[${data.slice(0, data.lastIndexOf(SEPARATOR))}],"next_cursor":"${writePairCursor(position, id)}","has_more":true}`;
}
