import type { QueryConfig } from "pg";
import { z } from "zod";

import { answeringTransaction } from "@/lib/database/transactions";
import { pool } from "@/lib/database/db";
import { MIN_UUID } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { invalidCursor, pageInput, pageOutput } from "@/lib/input/page";
import { MAX_LIMIT } from "@/lib/input/limits";
import { defineOperation, JsonText } from "@/lib/operation";
import { supportCase } from "@/lib/records/entities/case";
import { caseComment } from "@/lib/records/entities/case-comment";
import { assertRecordId, noSuchRecord } from "@/lib/records/get-record";
import {
  fitsPage,
  pageJson,
  selectAtOnce,
  selectWithinBytes,
  maxBytesOfView,
  selectView,
} from "@/lib/records/schema/record-sql";
import { createInput } from "@/lib/records/schema/write-input";
import { createRecords } from "@/lib/records/write/create-record";
import { recordOutput } from "@/lib/records/schema/field-schema";

export const listCommentsOfCase = defineOperation({
  name: "list_comments_of_case",
  summary: "List the comments of one case in the order of its thread, the first one first.",
  scopes: supportCase.readScopes,
  input: z.strictObject({
    id: pathId("case"),
    ...pageInput,
  }),
  output: pageOutput(recordOutput(caseComment)),
  run: async (context, { id, limit, cursor }) => {
    assertRecordId(supportCase, id);
    return listThread(context.organizationId, id, limit, cursor);
  },
});

/** Its type has `case_id` alone, which is in the path. */
const commentInput = createInput(caseComment) as unknown as z.ZodObject<{ case_id: z.ZodType }, z.core.$strict>;

export const createCommentOfCase = defineOperation({
  name: "create_comment_of_case",
  summary: "Add a comment to the end of one case's thread.",
  scopes: ["crm:write"],
  stores: true,
  createsIn: caseComment.resource,
  status: 201,
  input: commentInput.omit({ case_id: true }).extend({ id: pathId("case") }),
  output: recordOutput(caseComment),
  run: (context, { id, ...given }) => {
    assertRecordId(supportCase, id);
    return answeringTransaction(context, async (client) => {
      const { rowCount } = await client.query(
        "SELECT FROM cases WHERE organization_id = $1 AND id = $2 FOR KEY SHARE",
        [context.organizationId, id],
      );
      if (rowCount === 0) throw noSuchRecord(supportCase);
      const [created] = await createRecords(client, caseComment, context, [{ ...given, case_id: id }]);
      return new JsonText(created?.json ?? "null");
    });
  },
});

const NEXT = `
  SELECT * FROM case_comments
  WHERE organization_id = $1 AND case_id = $2 AND (position, id) > ($3::bigint, $4::uuid)
  ORDER BY position, id LIMIT ${MAX_LIMIT + 1}`;

/** $5: limit + 1. The constant limit inside tells the planner that only a page is needed. */
const PAGE = `SELECT * FROM (${NEXT}) AS next ORDER BY position, id LIMIT $5`;

const COLUMNS = { columns: selectView(caseComment, {}, "page"), json: "row_to_json(record)::text", limit: "$5 - 1" };

const CASE_EXISTS = "EXISTS (SELECT FROM cases WHERE organization_id = $1 AND id = $2) AS case_exists";

const WHOLE_PAGE = selectAtOnce(COLUMNS, PAGE, "page.id", { maxRowBytes: maxBytesOfView(caseComment, {}, "page") });

export const THREAD_PAGE = `SELECT records, last, has_more, ${CASE_EXISTS} FROM (${WHOLE_PAGE}) AS page`;

const LARGE_PAGE = `SELECT records, last, has_more, ${CASE_EXISTS}
  FROM (${selectWithinBytes(COLUMNS, PAGE, "page.id")}) AS page`;

interface PageRow {
  records: string | null;
  last: string | null;
  has_more: boolean;
  case_exists: boolean;
}

const BEGINNING = { position: "0", id: MIN_UUID };

/**
 * One page of a case's thread in its order, as JSON written by PostgreSQL: one range of an index at any depth. It is
 * shorter where comments are large. The cursor is the id of a comment, whose position is looked up. Throws `not_found`
 * where the organization has no such case, and `invalid_request` where the case never had such a comment.
 */
async function listThread(organizationId: string, caseId: string, limit: number, cursor?: string): Promise<JsonText> {
  const after =
    cursor === undefined ? BEGINNING : { position: await positionOf(organizationId, caseId, cursor), id: cursor };
  const values = [organizationId, caseId, after.position, after.id, limit + 1];
  const page = await read({ name: "list thread", text: THREAD_PAGE, values });
  const { records, last, has_more } = fitsPage(page.records) ? page : await read({ text: LARGE_PAGE, values });
  return new JsonText(pageJson(records ?? "", { last, hasMore: has_more }));
}

/**
 * A comment that is deleted while the thread is read keeps its position as long as it can be restored. The case is not
 * a condition of the lookup: PostgreSQL would then scan the comments of the case.
 */
export const THREAD_POSITION = `
  SELECT coalesce(
    (SELECT CASE WHEN case_id = $2 THEN position::text END FROM case_comments WHERE organization_id = $1 AND id = $3),
    (SELECT record ->> 'position' FROM deleted_records
     WHERE organization_id = $1 AND resource = '${caseComment.resource}' AND id = $3
       AND record ->> 'case_id' = $2::text LIMIT 1)
  ) AS position, ${CASE_EXISTS}`;

async function positionOf(organizationId: string, caseId: string, cursor: string): Promise<string> {
  const values = [organizationId, caseId, cursor];
  const { rows } = await pool().query<{ position: string | null; case_exists: boolean }>({
    name: "thread position",
    text: THREAD_POSITION,
    values,
  });
  if (!rows[0]?.case_exists) throw noSuchRecord(supportCase);
  if (rows[0].position !== null) return rows[0].position;
  throw invalidCursor();
}

async function read(statement: QueryConfig): Promise<PageRow> {
  const { rows } = await pool().query<PageRow>(statement);
  if (!rows[0]?.case_exists) throw noSuchRecord(supportCase);
  return rows[0];
}
