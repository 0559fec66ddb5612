import { pool } from "@/lib/database/db";
import { findMigration } from "@/lib/migration/find-migration";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { isChangedByOthers, isUnedited } from "@/lib/migration/undo/delete-created";
import { restoreVerdict } from "@/lib/migration/undo/restore-changed";
import { REASONS, undoImpact, type UndoImpact } from "@/lib/migration/undo/undo-schema";
import { type KeptCode, MAY_HAVE_FOUND, PURGED_DELETIONS, REPLACED } from "@/lib/migration/undo/undo-steps";
import { migrationInput } from "@/lib/migration/migration-key";
import { defineOperation } from "@/lib/operation";
import { RESTORABLE_INTERVAL } from "@/lib/records/delete/delete-record";
import { type Relation, relationsTo } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

export const getUndoImpact = defineOperation({
  name: "get_migration_undo_impact",
  summary:
    "Tell what undoing a migration would do now: how many records it would delete, restore and keep, and why. " +
    "Nothing is changed.",
  scopes: ["crm:read"],
  input: migrationInput,
  output: undoImpact,
  async run({ organizationId }, { migration_id }) {
    await findMigration(organizationId, migration_id);
    const { rows } = await pool().query<Line>(COUNT, [organizationId, migration_id]);
    const filesThat = (action: Line["action"]) =>
      rows.find((line) => line.resource === "files" && line.action === action)?.count ?? 0;
    const resources = RESOURCES.map((resource) => impactOf(resource, rows)).filter(
      (line) => line.delete + line.restore + line.keep.length > 0,
    );
    const purged = await pool().query<{ count: number }>(COUNT_PURGED, [organizationId, migration_id]);
    const outdates = await outdatedBy({ organizationId, migrationId: migration_id });
    return {
      resources,
      files: filesThat("delete"),
      files_kept: filesThat("keep"),
      purged: purged.rows[0]?.count ?? 0,
      outdates,
    };
  },
});

/** What the list of deleted records lists: no parts, and nothing that can be restored no longer anyway. */
const COUNT_PURGED = `
  SELECT count(*)::int AS count FROM deleted_records
  WHERE organization_id = $1 AND NOT is_part AND deleted_at > now() - ${RESTORABLE_INTERVAL}
    AND deletion_id IN (${PURGED_DELETIONS})`;

/** Migrations, the latest first. Which records they have found here is not stored, so those cannot be counted. */
async function outdatedBy({ organizationId, migrationId }: MigrationKey): Promise<UndoImpact["outdates"]> {
  const { rows } = await pool().query<{ migration_id: string; created_at: Date; finished_at: Date | null }>(OUTDATED, [
    organizationId,
    migrationId,
  ]);
  return rows.map(({ migration_id, created_at, finished_at }) => ({
    migration_id,
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  }));
}

const OUTDATED = `
  SELECT m.id AS migration_id, m.created_at, m.finished_at
  FROM migrations own JOIN migrations m ON ${MAY_HAVE_FOUND}
  WHERE own.organization_id = $1 AND own.id = $2 AND EXISTS (
    SELECT FROM migration_objects o
    WHERE o.organization_id = $1 AND o.migration_id = m.id AND o.read_until IS NOT NULL)
  ORDER BY m.id DESC`;

interface Line {
  resource: ResourceName | "files";
  action: "delete" | "restore" | "keep";
  code: KeptCode | null;
  count: number;
}

function impactOf(resource: ResourceName, lines: readonly Line[]): UndoImpact["resources"][number] {
  const own = lines.filter((line) => line.resource === resource);
  const countOf = (action: Line["action"]) =>
    own.reduce((sum, line) => sum + (line.action === action ? line.count : 0), 0);
  const keep = own.flatMap(({ code, count }) => (code === null ? [] : [{ code, reason: REASONS[code], count }]));
  return { resource, delete: countOf("delete"), restore: countOf("restore"), keep };
}

/** Whether the row was created by the migration. $2: the migration. */
const isCreated = (row: string) => `${row}.organization_id = $1::uuid AND ${row}.migration_id = $2::uuid`;

/** The reference `field` of `from` to a record `t` of `to` that the migration created. */
interface Reference extends Relation {
  to: ResourceName;
}

const REFERENCES: readonly Reference[] = RESOURCES.flatMap((to) =>
  relationsTo(to).map((relation) => ({ ...relation, to })),
);

const joined = ({ from, field, to }: Reference) =>
  `${from.resource} AS r JOIN ${to} AS t ON ${isCreated("t")} AND t.id = r."${field}"`;

/** Records that people edited, or that another migration changed. */
const changed = (resource: ResourceName) => `
  SELECT '${resource}' AS resource, t.id, CASE WHEN ${isUnedited("t")} THEN 2 ELSE 1 END AS rank FROM ${resource} AS t
  WHERE ${isCreated("t")} AND NOT (${isUnedited("t")} AND NOT ${isChangedByOthers("t", resource)})`;

/** Records to which one of another origin refers, unless that one is restored. */
const attached = (reference: Reference) => `
  SELECT '${reference.to}', t.id, 3 FROM ${joined(reference)}
  WHERE r.organization_id = $1::uuid AND r.migration_id IS DISTINCT FROM $2::uuid
    AND NOT EXISTS (SELECT FROM judged j WHERE j.code IS NULL AND j.resource = '${reference.from.resource}'
      AND j.id = r.id)`;

/** Records to which one refers that is restored, because it did so before. */
const attachedAgain = ({ from, field, to }: Reference) => `
  SELECT '${to}', t.id, 3 FROM judged AS j
  JOIN migration_changes AS c ON c.organization_id = $1::uuid AND c.migration_id = $2::uuid
    AND c.resource = j.resource AND c.record_id = j.id
  JOIN ${to} AS t ON ${isCreated("t")} AND t.id = (c.before ->> '${field}')::uuid
  WHERE j.code IS NULL AND j.resource = '${from.resource}'`;

/** What a record that stays refers to. */
const needed = (reference: Reference) => `
  SELECT '${reference.to}' AS resource, t.id FROM ${joined(reference)}
  WHERE k.resource = '${reference.from.resource}' AND r.organization_id = $1::uuid AND r.id = k.id AND r.id <> t.id`;

/** The parts of a record that stays. */
const parts = ({ from, field, to }: Reference) => `
  SELECT '${from.resource}', r.id FROM ${from.resource} AS r
  WHERE k.resource = '${to}' AND ${isCreated("r")} AND r."${field}" = k.id`;

const restored = (resource: ResourceName, verdict = restoreVerdict(resource)) => `
  SELECT '${resource}' AS resource, c.record_id AS id, ${verdict} AS code FROM migration_changes c
  LEFT JOIN ${resource} AS t ON t.organization_id = c.organization_id AND t.id = c.record_id
  WHERE c.organization_id = $1::uuid AND c.migration_id = $2::uuid AND c.resource = '${resource}'`;

/** Its case may be restored before it. */
const restoredComments = restored(
  "case_comments",
  restoreVerdict(
    "case_comments",
    (to, id) => `(EXISTS (SELECT FROM ${to} o WHERE o.organization_id = $1::uuid AND o.id = ${id})
      OR EXISTS (SELECT FROM judged_first j WHERE j.code IS NULL AND j.resource = '${to}' AND j.id = ${id}))`,
  ),
);

const created = (resource: ResourceName) =>
  `SELECT '${resource}' AS resource, count(*)::int AS count FROM ${resource} AS t
   WHERE ${isCreated("t")} AND NOT EXISTS (SELECT FROM replaced AS r WHERE r.resource = '${resource}' AND r.id = t.id)`;

/**
 * What the pages of an undo find one after another, found at once: a record that stays keeps what it refers to, and
 * that keeps what it refers to. It begins with the few records that people or other migrations have touched.
 */
const COUNT = `
  WITH RECURSIVE judged_first AS MATERIALIZED (
    ${RESOURCES.filter((resource) => resource !== "case_comments")
      .map((resource) => restored(resource))
      .join(" UNION ALL ")}
  ), judged AS MATERIALIZED (
    SELECT * FROM judged_first UNION ALL ${restoredComments}
  ), replaced AS MATERIALIZED (
    ${REPLACED}
  ), touched AS MATERIALIZED (
    SELECT * FROM (
      ${[...RESOURCES.map(changed), ...REFERENCES.map(attached), ...REFERENCES.map(attachedAgain)].join(" UNION ALL ")}
    ) AS found WHERE NOT EXISTS (SELECT FROM replaced AS r WHERE r.resource = found.resource AND r.id = found.id)
  ), kept AS (
    SELECT resource, id FROM touched
    UNION
    SELECT n.resource, n.id FROM kept AS k CROSS JOIN LATERAL (
      ${[...REFERENCES.map(needed), ...REFERENCES.filter(({ isPart }) => isPart).map(parts)].join(" UNION ALL ")}
    ) AS n
  ), ranked AS (
    SELECT k.resource, coalesce(s.rank, CASE WHEN k.resource = 'case_comments' THEN 4 ELSE 3 END) AS rank
    FROM kept AS k
    LEFT JOIN (SELECT resource, id, min(rank) AS rank FROM touched GROUP BY resource, id) AS s USING (resource, id)
  ), stays AS (
    SELECT resource, (ARRAY['edited_here', 'changed_by_migration', 'attached', 'part'])[rank] AS code,
      count(*)::int AS count
    FROM ranked GROUP BY resource, rank
  ), imported AS (
    SELECT EXISTS (SELECT FROM kept AS k WHERE k.resource = f.resource AND k.id = f.record_id)
      OR EXISTS (SELECT FROM judged AS j WHERE j.code IS NOT NULL AND j.resource = f.resource AND j.id = f.record_id)
      OR EXISTS (SELECT FROM deleted_records AS d
        WHERE d.organization_id = $1::uuid AND d.resource = f.resource AND d.id = f.record_id) AS stays
    FROM files AS f WHERE f.organization_id = $1::uuid AND f.migration_id = $2::uuid
  )
  SELECT resource, 'delete' AS action, NULL AS code,
    count - coalesce((SELECT sum(s.count) FROM stays AS s WHERE s.resource = c.resource), 0)::int AS count
  FROM (${RESOURCES.map(created).join(" UNION ALL ")}) AS c
  UNION ALL SELECT resource, CASE WHEN code IS NULL THEN 'restore' ELSE 'keep' END, code, count(*)::int
    FROM judged GROUP BY resource, code
  UNION ALL SELECT resource, 'keep', code, count FROM stays
  UNION ALL SELECT 'files', CASE WHEN stays THEN 'keep' ELSE 'delete' END, NULL, count(*)::int
    FROM imported GROUP BY stays`;
