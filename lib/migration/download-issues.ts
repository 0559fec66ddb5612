import { z } from "zod";

import { CSV, csvDownload } from "@/lib/downloads";
import { pool } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { MIN_UUID } from "@/lib/ids";
import { findMigration } from "@/lib/migration/find-migration";
import { filterValues, issueFilter, matchesFilter, remedyOf } from "@/lib/migration/record-issues";
import { defineOperation } from "@/lib/operation";

type Filter = z.output<z.ZodObject<typeof issueFilter>>;

const COLUMNS = ["object", "ext_id", "outcome", "code", "field", "value", "cause", "remedy"] as const;

const ROWS_PER_PAGE = 1000;

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

export const downloadRecordIssues = defineOperation({
  name: "download_migration_errors",
  summary:
    "Download the source records that the latest run left out as CSV, oldest first, each with its cause and what to " +
    "do about it. Values that a spreadsheet would run as a formula begin with an apostrophe.",
  scopes: ["crm:read"],
  downloads: [CSV],
  exports: "list",
  input: z.strictObject(issueFilter),
  output: z.string(),
  async run({ organizationId }, filter) {
    await findMigration(organizationId, filter.migration_id);
    return csvDownload(`migration-errors-${filter.migration_id}.csv`, COLUMNS, pagesOf(organizationId, filter));
  },
});

/** However many records were left out, few are in memory. */
async function* pagesOf(organizationId: string, filter: Filter): AsyncGenerator<(string | null)[][]> {
  let after = MIN_UUID;
  for (;;) {
    const rows: IssueRow[] = await inOrganization(organizationId, () => readPage(organizationId, filter, after));
    yield rows.map((row) => COLUMNS.map((name) => (name === "remedy" ? remedyOf(row.code) : row[name])));
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_PAGE) return;
    after = last.id;
  }
}

async function readPage(organizationId: string, filter: Filter, after: string): Promise<IssueRow[]> {
  const { rows } = await pool().query<IssueRow>(
    `SELECT i.id, i.object, i.ext_id, i.outcome, i.code, i.field, i.value, i.reason AS cause
     FROM migration_record_issues i
     WHERE i.organization_id = $1 AND i.migration_id = $2 AND ${matchesFilter("i")} AND i.id > $6
     ORDER BY i.id LIMIT $7`,
    [...filterValues(organizationId, filter), after, ROWS_PER_PAGE],
  );
  return rows;
}
