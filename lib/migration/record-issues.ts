import { z } from "zod";

import { pool } from "@/lib/database/db";
import { MAX_UUID } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { givenObject } from "@/lib/migration/configuration/given-configuration";
import { findMigration } from "@/lib/migration/find-migration";
import { type RecordIssue, recordIssue, type issueGroup, issueGroups } from "@/lib/migration/issue-schema";
import { migrationInput } from "@/lib/migration/migration-key";
import { ALL_STALE, STALE_OBJECTS, staleBefore } from "@/lib/migration/runs/stale-issues";
import { defineOperation } from "@/lib/operation";

/**
 * The name of an e-mail: its subject. In a case thread, its subject in Salesforce, or else the beginning of its text.
 */
const NAME = "coalesce(activity.subject, comment.custom_fields->>'Subject', left(comment.body, 200))";

/** What to do about records that a run left out, by the code of the reason. Absent: there is nothing to do. */
const REMEDIES: Readonly<Record<string, string>> = {
  invalid_created_date: "Correct CreatedDate in Salesforce, and retry what failed.",
  too_large: "Leave that field out in the configuration, and retry what failed.",
  id_taken:
    "Give that record the id of the source record again, by a PATCH of its `ext_id`, or delete it here. Then retry " +
    "what failed.",
  not_storable: "Change the record in Salesforce, and retry what failed.",
  missing_parent:
    "If the case failed, mend why, and retry what failed. Else give the Salesforce user access to it, select Cases, " +
    "and run again.",
  parent_not_here:
    "Import the record that it names, or choose in the configuration to keep its id. Then retry what failed.",
  deleted_here: "Restore the record here to have it updated by the next run.",
  gone_in_source: "If the Salesforce user may no longer see it, give the access back and run again.",
  edited_here:
    "To take the values of the source after all, choose in the configuration that the source wins, and run again.",
  undecided: "Decide which values the record keeps; until then it keeps those that it has here.",
};

/** What to do about a record that was left out for a reason; null if there is nothing to do. */
export function remedyOf(code: string): string | null {
  return REMEDIES[code] ?? null;
}

/** Which records that a run left out are asked for. */
export const issueFilter = {
  migration_id: pathId("migration"),
  object: givenObject.optional().describe("Records of this source object only."),
  // PostgreSQL cannot store U+0000, so no code contains it.
  code: z
    .string()
    .min(1)
    .max(100)
    .refine((value) => !value.includes("\0"), "`code` must not contain the character U+0000.")
    .optional()
    .describe("Records that were left out for this reason only: `mirrored_by_email`."),
  outcome: recordIssue.shape.outcome.optional().describe("skipped: on purpose. failed: could not be imported."),
};

const matchesGroup = (group: string): string =>
  `($3::text IS NULL OR ${group}.object = $3) AND ($4::text IS NULL OR ${group}.code = $4)
     AND ($5::migration_outcome IS NULL OR ${group}.outcome = $5) AND ${group}.object <> ALL (ARRAY(${ALL_STALE}))`;

/** SQL: whether an issue is of the latest run, without a look at the rows of objects that have no stale ones. */
const isLatest = (issue: string): string =>
  `(${issue}.object <> ALL (ARRAY(${STALE_OBJECTS}))
     OR (${issue}.created_at < ${staleBefore(`${issue}.object`)}) IS NOT TRUE)`;

/** SQL: whether an issue of the latest run matches the filter. $1 to $5: {@link filterValues}. */
export const matchesFilter = (issue: string): string => `${matchesGroup(issue)} AND ${isLatest(issue)}`;

export function filterValues(
  organizationId: string,
  { migration_id, object, code, outcome }: z.output<z.ZodObject<typeof issueFilter>>,
): (string | null)[] {
  return [organizationId, migration_id, object ?? null, code ?? null, outcome ?? null];
}

const OF_MIGRATION = "organization_id = $1 AND migration_id = $2";

/**
 * The outcomes, codes and objects that a migration has issues of, each read by one look at the index of these: outcome
 * by outcome, because PostgreSQL does not take the order of an enum for leakproof, so that under row-level security no
 * comparison with it can use the index.
 */
const GROUPS = `
  groups (outcome, code, object) AS (
    SELECT o.outcome, first.* FROM unnest(enum_range(NULL::migration_outcome)) AS o (outcome) CROSS JOIN LATERAL (
      SELECT code, object FROM migration_record_issues WHERE ${OF_MIGRATION} AND outcome = o.outcome
      ORDER BY code, object LIMIT 1) AS first
    UNION ALL
    SELECT g.outcome, next.* FROM groups g CROSS JOIN LATERAL (
      SELECT code, object FROM migration_record_issues WHERE ${OF_MIGRATION} AND outcome = g.outcome
        AND (code, object) > (g.code, g.object)
      ORDER BY code, object LIMIT 1) AS next
  )`;

/**
 * A page of issues. Of each group that matches it reads a page, and sorts these: few records that failed may lie behind
 * millions that were skipped. $1 to $5: {@link filterValues}, $6: the cursor, $7: the limit.
 */
export const LIST = `
  WITH RECURSIVE ${GROUPS}
  SELECT i.id, i.object, i.ext_id, i.outcome, i.code, i.field, i.value, i.reason,
    CASE WHEN a.record_id IS NOT NULL
      THEN json_build_object('resource', a.entity, 'id', a.record_id, 'name', ${NAME}) END AS record
  FROM (
    SELECT found.* FROM (SELECT * FROM groups WHERE ${matchesGroup("groups")}) AS g CROSS JOIN LATERAL (
      SELECT * FROM migration_record_issues own WHERE ${OF_MIGRATION}
        AND outcome = g.outcome AND code = g.code AND object = g.object AND id < $6 AND ${isLatest("own")}
      ORDER BY id DESC LIMIT $7) AS found
    ORDER BY found.id DESC LIMIT $7
  ) AS i
  LEFT JOIN ext_aliases a ON a.organization_id = i.organization_id AND a.ext_id = i.ext_id
  LEFT JOIN case_comments comment
    ON a.entity = 'case_comments' AND comment.organization_id = a.organization_id AND comment.id = a.record_id
  LEFT JOIN activities activity
    ON a.entity = 'activities' AND activity.organization_id = a.organization_id AND activity.id = a.record_id
  ORDER BY i.id DESC`;

export const listRecordIssues = defineOperation({
  name: "list_migration_errors",
  summary:
    "List the source records that the latest run left out, skipped on purpose or failed, each with its reason; the " +
    "latest first.",
  scopes: ["crm:read"],
  input: z.strictObject({ ...pageInput, ...issueFilter }),
  output: pageOutput(recordIssue),
  async run(context, { limit, cursor, ...filter }) {
    await findMigration(context.organizationId, filter.migration_id);
    const { rows } = await pool().query<Omit<RecordIssue, "remedy">>(LIST, [
      ...filterValues(context.organizationId, filter),
      cursor ?? MAX_UUID,
      limit + 1,
    ]);
    const issues = rows.map((row) => ({ ...row, remedy: remedyOf(row.code) }));
    return cutPage(issues, limit, ({ id }) => id);
  },
});

export const summarizeRecordIssues = defineOperation({
  name: "summarize_migration_errors",
  summary:
    "Count the source records that the latest run left out by object and reason; failed ones first, then the most " +
    "frequent.",
  scopes: ["crm:read"],
  input: migrationInput,
  output: issueGroups,
  async run(context, { migration_id }) {
    await findMigration(context.organizationId, migration_id);
    const { rows } = await pool().query<Omit<z.infer<typeof issueGroup>, "remedy">>(
      `SELECT object, outcome, code, CASE WHEN min(reason) = max(reason) THEN min(reason) END AS reason,
         count(*)::int AS count
       FROM migration_record_issues i WHERE ${OF_MIGRATION} AND object <> ALL (ARRAY(${ALL_STALE}))
         AND ${isLatest("i")}
       GROUP BY object, outcome, code ORDER BY outcome DESC, count DESC, object, code`,
      [context.organizationId, migration_id],
    );
    return { data: rows.map((row) => ({ ...row, remedy: remedyOf(row.code) })) };
  },
});
