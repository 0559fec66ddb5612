import type { PoolClient } from "pg";

import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { type Removed, removeRecords, type Removing } from "@/lib/migration/pipeline/load/before-images";
import { countAsSkipped } from "@/lib/migration/pipeline/load/count-as-skipped";
import { isEdited } from "@/lib/migration/pipeline/load/load-statement";
import { type Issue, issueOf, type Outcome, type Row } from "@/lib/migration/pipeline/map/transform";
import type { RunKey } from "@/lib/migration/migration-schema";
import type { ResourceName } from "@/lib/records/schema/resources";

/**
 * The posts whose shown record is here or was deleted here, or is one that the user does not want. A task or event may
 * be yet to come in this run, unless an earlier one has imported its post, or be skipped. $2: the source ids of the
 * records, $4: those of their posts. A record that failed or cannot be read is none of these.
 */
const SHOWN = `
  SELECT shown.post, shown.ext_id, coalesce(comment.id, activity.id, alias.record_id) AS record_id,
    CASE WHEN comment.id IS NOT NULL THEN 'case_comments' WHEN activity.id IS NOT NULL THEN 'activities'
      ELSE alias.entity END AS entity
  FROM (
    SELECT post, ext_id, CASE left(ext_id, 3) WHEN '${KEY_PREFIXES.CaseComment}' THEN 'CaseComment'
      WHEN '${KEY_PREFIXES.EmailMessage}' THEN 'EmailMessage' WHEN '${KEY_PREFIXES.Task}' THEN 'Task'
      ELSE 'Event' END AS object
    FROM unnest($2::text[], $4::text[]) AS posts (ext_id, post)
  ) AS shown
  JOIN migrations m ON m.organization_id = $1 AND m.id = $3
  LEFT JOIN case_comments comment ON comment.organization_id = $1 AND comment.ext_id = shown.ext_id
  LEFT JOIN activities activity ON activity.organization_id = $1 AND activity.ext_id = shown.ext_id
  LEFT JOIN ext_aliases alias ON alias.organization_id = $1 AND alias.ext_id = shown.ext_id
  WHERE coalesce(comment.id, activity.id, alias.record_id) IS NOT NULL
    OR m.configuration #>> ARRAY['objects', shown.object, 'selected'] = 'false'
    OR shown.object IN ('Task', 'Event') AND EXISTS (
      SELECT FROM migration_objects o
      WHERE o.organization_id = $1 AND o.migration_id = $3 AND o.object = shown.object
        AND o.status IN ('pending', 'running')
    ) AND NOT EXISTS (
      SELECT FROM case_comments p WHERE p.organization_id = $1 AND p.ext_id = shown.post)
    OR shown.object IN ('Task', 'Event') AND EXISTS (
      SELECT FROM migration_record_issues i
      WHERE i.organization_id = $1 AND i.migration_id = $3 AND i.object = shown.object AND i.ext_id = shown.ext_id
        AND i.outcome = 'skipped' AND i.code <> 'gone_in_source')
    OR EXISTS (
      SELECT FROM deleted_records d WHERE d.organization_id = $1 AND d.resource IN ('case_comments', 'activities')
        AND d.ext_id = shown.ext_id)`;

/** A post, and the record that it shows. */
interface Shown {
  post: string;
  ext_id: string;
  record_id: string | null;
  entity: string | null;
}

/**
 * Leaves out posts that only show a comment, e-mail, task or event that is imported itself, and removes those that an
 * earlier run imported because that record was missing then. Returns the reasons and the other rows. Takes one query
 * per page, and three more where posts are left out.
 */
export async function leaveOutMirrors(
  client: PoolClient,
  run: Removing,
  rows: Row[],
): Promise<{ own: Row[]; issues: Issue[] }> {
  const posts = rows.filter((row) => row.mirror);
  if (posts.length === 0) return { own: rows, issues: [] };
  const { rows: left } = await client.query<Shown>(SHOWN, [
    run.organizationId,
    posts.map(({ mirror }) => mirror?.extId),
    run.migrationId,
    posts.map((row) => row.ext_id),
  ]);
  if (left.length > 0) await replacePosts(client, run, left);
  const shown = new Set(left.map(({ post }) => post));
  const issues = [...left.map(mirrorIssue), ...posts.filter((row) => !shown.has(row.ext_id)).flatMap(noticeIssue)];
  const skipped = new Set(issues.map(({ ext_id: extId }) => extId));
  return { own: rows.filter((row) => !skipped.has(row.ext_id)), issues };
}

/** Records that have just come in. */
interface Created {
  object: SourceObjectName;
  resource: ResourceName;
  extIds: readonly string[];
}

/**
 * The posts that stand for stored comments, e-mails, tasks and events, because these were missing when the feed was
 * read. Both belong to one case. A feed that is yet to be read leaves out such posts itself. So has the feed of a first
 * run those of tasks and events, which come after it: only other migrations have imported some.
 */
const shownBy = ({ object, resource }: Created, { runNumber }: RunKey): string => `
  SELECT p.ext_id AS post, r.ext_id, r.id AS record_id, '${resource}' AS entity
  FROM ${resource} r
  JOIN case_comments p ON p.organization_id = $1 AND p.case_id = r.case_id
    AND starts_with(p.ext_id, '${KEY_PREFIXES.FeedItem}')
    AND p.custom_fields ->> 'RelatedRecordId' = r.ext_id
  WHERE r.organization_id = $1 AND r.ext_id = ANY ($2::text[]) AND EXISTS (
    SELECT FROM migration_objects o WHERE o.organization_id = $1 AND o.object = 'FeedItem' AND o.started_at IS NOT NULL
      AND o.migration_id ${runNumber === 1 && (object === "Task" || object === "Event") ? "<>" : "="} $3)`;

/**
 * Removes the posts that only show these records, and counts them as skipped. Returns the reasons, to be stored.
 */
export async function removeMirrors(client: PoolClient, run: Removing, created: Created): Promise<Issue[]> {
  const values = [run.organizationId, created.extIds, run.migrationId];
  const found = await client.query<Shown>(shownBy(created, run), values);
  if (found.rows.length === 0) return [];
  const counted = await countAsSkipped(client, run, "FeedItem", await replacePosts(client, run, found.rows));
  const posts = new Set(counted.map(({ ext_id }) => ext_id));
  return found.rows.filter(({ post }) => posts.has(post)).map(mirrorIssue);
}

function mirrorIssue({ post, ext_id: extId }: Shown): Issue {
  const reason =
    "This post only shows another record in the feed: a case comment, an e-mail, a task or an event. That record is " +
    "imported itself, unless you deselected it.";
  return issueOf(post, "skipped", "mirrored_in_feed", reason, "RelatedRecordId", extId);
}

/** A post without anything of its own, whose record is not imported. */
function noticeIssue({ ext_id: extId, mirror }: Row): Issue[] {
  const skip = mirror?.otherwise;
  return skip ? [issueOf(extId, "skipped", skip.code, skip.reason, skip.field, skip.value)] : [];
}

/** What becomes of a post if the record that it shows does not come. */
export function withoutMirror(outcome: Outcome): Outcome {
  if (!("row" in outcome) || !outcome.row.mirror) return outcome;
  const [issue] = noticeIssue(outcome.row);
  return issue ? { issue } : { ...outcome, row: { ...outcome.row, mirror: undefined } };
}

/**
 * Removes posts, and leads from them to the records that they show, by aliases. Returns those that were here. With an
 * alias, a post was removed before, and somebody has restored it since. One that somebody has edited stays unless its
 * record is here.
 */
async function replacePosts(client: PoolClient, run: Removing, left: readonly Shown[]): Promise<Removed[]> {
  const postsOf = (isHere: boolean) =>
    left.filter(({ record_id: recordId }) => (recordId !== null) === isHere).map(({ post }) => post);
  const isFirst = `AND NOT EXISTS (
    SELECT FROM ext_aliases a WHERE a.organization_id = $1 AND a.ext_id = t.ext_id)`;
  const removed = [
    ...(await removeRecords(client, run, "case_comments", postsOf(true), isFirst)),
    ...(await removeRecords(client, run, "case_comments", postsOf(false), `AND NOT ${isEdited("t")}`)),
  ];
  await client.query(
    `INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id, migration_id)
     SELECT $1::uuid, p.post, p.entity, p.record_id, $3::uuid
     FROM json_to_recordset($2::json) AS p(post text, entity text, record_id uuid) WHERE p.record_id IS NOT NULL
     ON CONFLICT (organization_id, ext_id) DO NOTHING`,
    [run.organizationId, JSON.stringify(left), run.migrationId],
  );
  return removed;
}
