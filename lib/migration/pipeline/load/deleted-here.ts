import type { PoolClient } from "pg";

import { resourcesOf } from "@/lib/migration/objects/declaration";
import { findUnmerged } from "@/lib/migration/pipeline/load/find-here";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { type Issue, issueOf, type Outcome } from "@/lib/migration/pipeline/map/transform";
import { RESTORABLE_INTERVAL } from "@/lib/records/delete/delete-record";
import type { ResourceName } from "@/lib/records/schema/resources";

/**
 * Source ids of records that were deleted here and can still be restored, or that a migration deleted, however long
 * ago; with the day (UTC) and their versions. A source id that a present record has does not count as deleted.
 */
function deletedText(resource: ResourceName): string {
  return `SELECT d.ext_id, to_char(d.deleted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
      CASE WHEN d.migration_id IS NULL THEN 'record' ELSE 'undeleted' END AS what,
      (d.record ->> 'version')::int AS version
    FROM deleted_records d
    WHERE d.organization_id = $1 AND d.resource = '${resource}' AND d.ext_id = ANY ($2::text[])
      AND (d.migration_id IS NOT NULL OR d.deleted_at > now() - ${RESTORABLE_INTERVAL})
      AND NOT EXISTS (SELECT FROM ${resource} r WHERE r.organization_id = $1 AND r.ext_id = d.ext_id)`;
}

/**
 * Source ids that lead to deleted records: tasks of e-mails, and records that were merged into another. A join can hash
 * both sides; array operators would compare every pair.
 */
function deletedAliasesText(resources: readonly ResourceName[], what: Deletion["what"]): string {
  return `SELECT page.ext_id, to_char(copies.deleted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, '${what}' AS what,
    NULL::int AS version
  FROM unnest($2::text[]) AS page (ext_id) JOIN (
    SELECT unnest(d.aliases) AS ext_id, d.deleted_at FROM deleted_records d
    WHERE d.organization_id = $1 AND d.resource IN (${resources.map((name) => `'${name}'`).join(", ")})
      AND d.migration_id IS NULL AND d.deleted_at > now() - ${RESTORABLE_INTERVAL}
  ) AS copies USING (ext_id)`;
}

interface Deletion {
  ext_id: string;
  day: string;
  /**
   * The record itself, the e-mail of the task with this id, or the record that this one was merged into; undeleted: the
   * record itself, which a migration deleted because it was deleted in the source, and which is there again.
   */
  what: "record" | "email" | "merged" | "undeleted";
  /** That the record had when it was deleted. */
  version: number | null;
}

type Mapped = Exclude<Outcome, { issue: unknown }>;

/**
 * Skips the records of a page that somebody deleted here, because an import must not restore them. Also skips tasks of
 * deleted e-mails, e-mails that are not here and whose imported task was deleted, and records of a deleted case.
 * Records that a migration deleted go on from their versions. Takes one query per page.
 */
export async function skipDeleted(
  client: PoolClient,
  organizationId: string,
  plan: Plan,
  outcomes: readonly Outcome[],
): Promise<Outcome[]> {
  const ids = outcomes.flatMap((outcome) => ("issue" in outcome ? [] : namesOf(outcome).map(({ extId }) => extId)));
  const { rows } = await client.query<Deletion>(textFor(plan), [organizationId, [...new Set(ids)]]);
  if (rows.length === 0) return [...outcomes];
  const deletions = new Map(rows.filter(({ what }) => what !== "undeleted").map((row) => [row.ext_id, row]));
  const versions = highestVersions(rows);
  const here = await findEmailsHere(client, organizationId, plan, outcomes, deletions);
  return outcomes.map((outcome) => {
    if ("issue" in outcome) return outcome;
    const name = namesOf(outcome).find(({ extId, byTask }) => deletions.has(extId) && !(byTask && here.has(byTask)));
    const deletion = name && deletions.get(name.extId);
    if (deletion)
      return { issue: deletedIssue(outcome.row.ext_id, name.what ?? `This ${plan.object.label}`, deletion) };
    const version = versions.get(outcome.row.ext_id);
    return version === undefined ? outcome : { ...outcome, row: { ...outcome.row, version: version + 1 } };
  });
}

/** The e-mails that are here although their tasks were deleted here: those were to-dos, and are done in the source. */
async function findEmailsHere(
  client: PoolClient,
  organizationId: string,
  { object }: Plan,
  outcomes: readonly Outcome[],
  deletions: ReadonlyMap<string, Deletion>,
): Promise<Set<string>> {
  const named = outcomes.flatMap((outcome) => ("issue" in outcome ? [] : namesOf(outcome)));
  const ids = named.flatMap(({ extId, byTask }) => (byTask !== undefined && deletions.has(extId) ? [byTask] : []));
  const here = new Set<string>();
  for (const resource of resourcesOf(object))
    for (const id of await findUnmerged(client, organizationId, resource, ids)) here.add(id);
  return here;
}

/** Source id → the highest version: a record may have been deleted several times. */
function highestVersions(deletions: readonly Deletion[]): Map<string, number> {
  const versions = new Map<string, number>();
  for (const { ext_id: extId, what, version } of deletions)
    if (what === "undeleted" && version !== null) versions.set(extId, Math.max(version, versions.get(extId) ?? 0));
  return versions;
}

const SUBJECTS: Partial<Record<Deletion["what"], string>> = {
  email: "The e-mail that this task is Salesforce's copy of",
  merged: "The record that this one was merged into",
};

function deletedIssue(extId: string, itself: string, { ext_id: deleted, day, what }: Deletion): Issue {
  const subject = SUBJECTS[what] ?? itself;
  return issueOf(extId, "skipped", "deleted_here", `${subject} was deleted here on ${day}.`, "Id", deleted);
}

interface Name {
  extId: string;
  /** Of that record, unless it is the record itself. */
  what?: string;
  /** The e-mail whose task it is. */
  byTask?: string;
}

const TASK_OF_EMAIL = "The task that Salesforce made of this e-mail";

/** The source ids under which a record may have been deleted. */
function namesOf({ row, alias, plan }: Mapped): Name[] {
  return [
    { extId: row.ext_id },
    ...(alias?.isCopy === true ? [{ extId: alias.extId, what: TASK_OF_EMAIL, byTask: row.ext_id }] : []),
    ...(plan.shape.resource === "case_comments" && typeof row.case_id === "string"
      ? [{ extId: row.case_id, what: "The case of this entry" }]
      : []),
  ];
}

function textFor({ object }: Plan): string {
  const written = resourcesOf(object);
  const resources = new Set<ResourceName>([
    ...written,
    ...(written.includes("case_comments") ? (["cases"] as const) : []),
  ]);
  const merging = [...resources].filter((name) => name !== "case_comments" && name !== "activities");
  return [
    ...[...resources].map(deletedText),
    ...(object.name === "Task" ? [deletedAliasesText(["case_comments", "activities"], "email")] : []),
    ...(merging.length > 0 ? [deletedAliasesText(merging, "merged")] : []),
  ].join(" UNION ALL ");
}
