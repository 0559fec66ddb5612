import { beforeAll, describe, expect, test } from "vitest";

import { filesStatement, listFiles } from "@/lib/files/read-files";
import { newId } from "@/lib/ids";
import { execute, valueOf } from "@/lib/operation";
import type { Context } from "@/lib/context";
import { createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { PLAN_MODES, planOf, readersOf } from "@/tests/support/query-plan";

/** Each case has one comment, and each of both has two files. */
const CASES = 1_500;

let context: Context;
let caseId: string;

/** As after an import: the files are of all times, whatever their record. */
async function fill(organizationId: string): Promise<string> {
  const theCase = await insertRecord("cases", organizationId);
  await pool().query(
    `INSERT INTO cases SELECT (json_populate_record(template, copy)).* FROM cases AS template,
       generate_series(2, ${CASES}) AS n, json_build_object('id', uuidv7(), 'case_number', n::text) AS copy
     WHERE template.id = $1`,
    [theCase],
  );
  await pool().query(
    `INSERT INTO case_comments (organization_id, id, created_at, updated_at, case_id, body, position)
     SELECT organization_id, uuidv7(), now(), now(), id, 'text', 1 FROM cases WHERE organization_id = $1`,
    [organizationId],
  );
  for (const table of ["cases", "case_comments"])
    await pool().query(
      `INSERT INTO files (organization_id, id, created_at, resource, record_id, ext_id, name, size, sha256)
       SELECT organization_id, uuidv7((random() * 1e6)::int * interval '-1 minute'), now(), $2, id, n, 'a.txt', 1, ''
       FROM ${table}, generate_series(1, 2) AS n WHERE organization_id = $1`,
      [organizationId, table],
    );
  return theCase;
}

beforeAll(async () => {
  // PostgreSQL must not look at them meanwhile by itself.
  await pool().query("ALTER TABLE files SET (autovacuum_enabled = false)");
  await fill((await createContext()).organizationId);
  context = await createContext();
  caseId = await fill(context.organizationId);
});

const STATES: [state: string, prepare: () => Promise<unknown>][] = [
  ["files that PostgreSQL has never looked at", () => Promise.resolve()],
  ["files that PostgreSQL has looked at", () => pool().query("ANALYZE files, cases, case_comments")],
];

/** What a page reads of files in each mode of planning, and whether it reads all records instead of looking them up. */
async function readsOf(asked: object): Promise<unknown[]> {
  const plans = PLAN_MODES.map((mode) => planOf(filesStatement(context.organizationId, { limit: 50, ...asked }), mode));
  return (await Promise.all(plans)).map((nodes) => {
    const ofFiles = readersOf(nodes).filter(({ "Node Type": type, "Relation Name": table, "Index Name": index }) =>
      type === "Bitmap Heap Scan" ? false : (index ?? table ?? "").startsWith("files"),
    );
    const ranges = ofFiles.map(({ "Index Name": index, "Index Cond": range }) => `${index}: ${range}`);
    return { ranges, hashes: JSON.stringify(nodes).includes("hashed") };
  });
}

/** One range of an index, in each mode. */
const oneRange = (range: RegExp) => PLAN_MODES.map(() => ({ ranges: [expect.stringMatching(range)], hashes: false }));

describe.each(STATES)("of %s", (_, prepare) => {
  beforeAll(prepare);

  test.each(["record_id", "case_id"])(
    "a page asked for by %s is one range of the files of these records",
    async (by) => {
      const range = /^files_organization_id_record_id_ext_id_key: .*organization_id = .*record_id = /;
      expect(await readsOf({ [by]: newId() })).toEqual(oneRange(range));
      expect(await readsOf({ [by]: newId(), cursor: newId() })).toEqual(oneRange(range));
    },
  );
});

test("a page of all files is one range of the files of the organization", async () => {
  expect(await readsOf({})).toEqual(oneRange(/^files_pkey: \(organization_id = /));
  expect(await readsOf({ cursor: newId() })).toEqual(oneRange(/^files_pkey: .*organization_id = .*\(id < /));
});

test("the files of a case and of its comments come page by page, the newest first, and no others", async () => {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM files WHERE organization_id = $1
       AND (record_id = $2 OR record_id IN (SELECT id FROM case_comments WHERE case_id = $2)) ORDER BY id DESC`,
    [context.organizationId, caseId],
  );
  const listed: string[] = [];
  let cursor: string | null | undefined;
  do {
    const asked = { case_id: caseId, limit: 3, ...(cursor && { cursor }) };
    const page = valueOf(await execute(listFiles, context, asked));
    listed.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor);
  expect(listed).toEqual(rows.map(({ id }) => id));
  expect(listed).toHaveLength(4);
});
