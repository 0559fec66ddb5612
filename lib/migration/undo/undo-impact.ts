import { z } from "zod";

import { pool } from "@/lib/database/db";
import { pathId } from "@/lib/input/ids-and-times";
import { findMigration } from "@/lib/migration/find-migration";
import { isChangedByOthers, isUnedited } from "@/lib/migration/undo/delete-created";
import { REASONS } from "@/lib/migration/undo/kept-reasons";
import { restoreVerdict } from "@/lib/migration/undo/restore-changed";
import { undoImpact, type UndoImpact } from "@/lib/migration/undo/undo-schema";
import type { KeptCode } from "@/lib/migration/undo/undo-steps";
import { defineOperation } from "@/lib/operation";
import { type Relation, relationsTo } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

export const getUndoImpact = defineOperation({
  name: "get_migration_undo_impact",
  summary:
    "Tell what undoing a migration would do now: how many records it would delete, restore and keep, and why. " +
    "Nothing is changed.",
  scopes: ["crm:read"],
  input: z.strictObject({ migration_id: pathId("migration") }),
  output: undoImpact,
  async run({ organizationId }, { migration_id }) {
    await findMigration(organizationId, migration_id);
    const owned = [organizationId, migration_id];
    const { rows } = await pool().query<Line>(COUNT, owned);
    const files = await pool().query<{ count: number }>(
      "SELECT count(*)::int FROM files WHERE organization_id = $1 AND migration_id = $2",
      owned,
    );
    const resources = RESOURCES.map((resource) => impactOf(resource, rows)).filter(
      (line) => line.delete + line.restore + line.keep.length > 0,
    );
    return { resources, files: files.rows[0]?.count ?? 0 };
  },
});

interface Line {
  resource: ResourceName;
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

/** Records to which one of another origin refers, unless that reference is undone too. */
const attached = (reference: Reference) => `
  SELECT '${reference.to}', t.id, 3 FROM ${joined(reference)}
  WHERE r.organization_id = $1::uuid AND r.migration_id IS DISTINCT FROM $2::uuid
    AND NOT EXISTS (SELECT FROM migration_changes c WHERE c.organization_id = $1::uuid AND c.migration_id = $2::uuid
      AND c.record_id = r.id)`;

/** What a record that stays refers to. */
const needed = (reference: Reference) => `
  SELECT '${reference.to}' AS resource, t.id FROM ${joined(reference)}
  WHERE k.resource = '${reference.from.resource}' AND r.organization_id = $1::uuid AND r.id = k.id AND r.id <> t.id`;

/** The parts of a record that stays. */
const parts = ({ from, field, to }: Reference) => `
  SELECT '${from.resource}', r.id FROM ${from.resource} AS r
  WHERE k.resource = '${to}' AND ${isCreated("r")} AND r."${field}" = k.id`;

const restored = (resource: ResourceName) => `
  SELECT '${resource}' AS resource, code, count(*)::int AS count FROM (
    SELECT ${restoreVerdict(resource)} AS code FROM migration_changes c
    LEFT JOIN ${resource} AS t ON t.organization_id = c.organization_id AND t.id = c.record_id
    WHERE c.organization_id = $1::uuid AND c.migration_id = $2::uuid AND c.resource = '${resource}') AS judged
  GROUP BY code`;

const created = (resource: ResourceName) =>
  `SELECT '${resource}' AS resource, count(*)::int AS count FROM ${resource} AS t WHERE ${isCreated("t")}`;

/**
 * What the pages of an undo find one after another, found at once: a record that stays keeps what it refers to, and
 * that keeps what it refers to. It begins with the few records that people or other migrations have touched.
 */
const COUNT = `
  WITH RECURSIVE touched AS MATERIALIZED (
    ${[...RESOURCES.map(changed), ...REFERENCES.map(attached)].join(" UNION ALL ")}
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
  ), judged AS (${RESOURCES.map(restored).join(" UNION ALL ")})
  SELECT resource, 'delete' AS action, NULL AS code,
    count - coalesce((SELECT sum(s.count) FROM stays AS s WHERE s.resource = c.resource), 0)::int AS count
  FROM (${RESOURCES.map(created).join(" UNION ALL ")}) AS c
  UNION ALL SELECT resource, CASE WHEN code IS NULL THEN 'restore' ELSE 'keep' END, code, count FROM judged
  UNION ALL SELECT resource, 'keep', code, count FROM stays`;
