import { stringify } from "csv-stringify/sync";
import { z } from "zod";

import { pool } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { findMigration } from "@/lib/migration/find-migration";
import { remedyOf } from "@/lib/migration/issue-remedies";
import { filterValues, issueFilter, matchingIssues } from "@/lib/migration/record-issues";
import { defineOperation, Download } from "@/lib/operation";

type Filter = z.output<z.ZodObject<typeof issueFilter>>;

const COLUMNS = ["object", "ext_id", "outcome", "code", "field", "value", "cause", "remedy"] as const;

const ROWS_PER_PIECE = 1000;

interface IssueRow {
  id: string;
  object: string;
  ext_id: string;
  outcome: string;
  code: string;
  field: string | null;
  value: string | null;
  cause: string;
}

const CSV = "text/csv";

export const downloadRecordIssues = defineOperation({
  name: "download_migration_errors",
  summary:
    "Download the source records that the latest run left out as CSV, oldest first, each with its cause and what to " +
    "do about it. Values that a spreadsheet would run as a formula begin with an apostrophe.",
  scopes: ["crm:read"],
  downloads: [CSV],
  input: z.strictObject(issueFilter),
  output: z.string(),
  async run({ organizationId }, filter) {
    await findMigration(organizationId, filter.migration_id);
    const body = streamOf(piecesOf(organizationId, filter));
    return new Download(body, {
      "content-type": `${CSV}; charset=utf-8`,
      "content-disposition": `attachment; filename="migration-errors-${filter.migration_id}.csv"`,
      "x-content-type-options": "nosniff",
    });
  },
});

/** Asks for the next piece only when the client has read the last one. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
}

/** CSV (RFC 4180) in pieces, so that however many records were left out, few are in memory. */
async function* piecesOf(organizationId: string, filter: Filter): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let after: string | null = null;
  yield encoder.encode(csvOf([COLUMNS], true));
  for (;;) {
    const rows: IssueRow[] = await inOrganization(organizationId, () => readPiece(organizationId, filter, after));
    if (rows.length > 0)
      yield encoder.encode(
        csvOf(rows.map((row) => COLUMNS.map((name) => (name === "remedy" ? remedyOf(row.code) : row[name])))),
      );
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_PIECE) return;
    after = last.id;
  }
}

async function readPiece(organizationId: string, filter: Filter, after: string | null): Promise<IssueRow[]> {
  const { rows } = await pool().query<IssueRow>(
    `SELECT i.id, i.object, i.ext_id, i.outcome, i.code, i.field, i.value, i.reason AS cause
     FROM migration_record_issues i WHERE ${matchingIssues("i")} AND ($6::uuid IS NULL OR i.id > $6)
     ORDER BY i.id LIMIT $7`,
    [...filterValues(organizationId, filter), after, ROWS_PER_PIECE],
  );
  return rows;
}

/** A formula behind blanks, which some spreadsheets skip. `escape_formulas` sees only the first character. */
const INDENTED_FORMULA = /^\s+[=+\-@＝＋－＠]/;

/**
 * Texts of the source could be formulas (OWASP, "CSV Injection"), so they are escaped. Every value is quoted, because a
 * spreadsheet ends an unquoted one at any line feed, and a formula could follow. With the byte order mark Excel reads
 * UTF-8.
 */
function csvOf(rows: readonly (readonly (string | null)[])[], isFirst = false): string {
  return stringify(
    rows.map((row) => [...row]),
    {
      record_delimiter: "windows",
      quoted: true,
      escape_formulas: true,
      cast: { string: (text) => (INDENTED_FORMULA.test(text) ? `'${text}` : text) },
      bom: isFirst,
    },
  );
}
