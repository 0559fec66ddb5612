import { pool } from "@/lib/database/db";
import { queryLong } from "@/lib/migration/long-statements";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import type { ComparingFields } from "@/lib/migration/proof/compare-ids";
import type { ComparedLink } from "@/lib/migration/proof/compared-fields";
import { notKept } from "@/lib/migration/proof/kept-records";
import { isInSource } from "@/lib/migration/proof/records-not-in-source";

/** The record of a parent. `isMerged`: it is that of several source records. */
interface Here {
  id: string;
  here: number;
  isMerged: boolean;
}

/** Each parent that is here, also under another id: its record, and how many of the object's records it has. */
export async function countHere(
  comparing: ComparingFields,
  relationship: ComparedLink,
  parents: readonly string[],
): Promise<Map<string, Here>> {
  const { rows } = await pool().query<Pick<Here, "id" | "isMerged"> & { ext_id: string }>(
    `SELECT parent.ext_id, parent.id, EXISTS (
         SELECT FROM ext_aliases a WHERE a.organization_id = $1 AND a.record_id = parent.id
       ) AS "isMerged"
     FROM (
       SELECT ids.ext_id, coalesce(record.id, alias.record_id) AS id FROM unnest($2::text[]) AS ids (ext_id)
       LEFT JOIN ${relationship.target} record ON record.organization_id = $1 AND record.ext_id = ids.ext_id
       LEFT JOIN ext_aliases alias ON alias.organization_id = $1 AND alias.ext_id = ids.ext_id
         AND alias.entity = '${relationship.target}'
     ) AS parent WHERE parent.id IS NOT NULL`,
    [comparing.key.organizationId, parents],
  );
  const counts = await countChildren(
    comparing,
    relationship,
    rows.map(({ id }) => id),
  );
  return new Map(rows.map((row) => [row.ext_id, { ...row, here: counts.get(row.id) ?? 0 }]));
}

/**
 * How many of the object's records belong to each of these parents. With the ids as a parameter, every plan reads each
 * record at most once; a subquery per parent may read all of them for each.
 */
async function countChildren(
  { key, plan, notInSource }: ComparingFields,
  { column }: ComparedLink,
  parentIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queryLong<{ parent: string; records: number }>(
    `SELECT child.${column} AS parent, count(*)::int AS records FROM ${plan.main.shape.resource} child
     WHERE child.organization_id = $1 AND child.${column} = ANY ($2::uuid[]) AND starts_with(child.ext_id, $3)
       AND ${notKept("child", "$4", "$5")} AND ${isInSource("child", "$6")}
     GROUP BY child.${column}`,
    [key.organizationId, parentIds, KEY_PREFIXES[plan.object.name], key.migrationId, plan.object.name, notInSource],
  );
  return new Map(rows.map(({ parent, records }) => [parent, records]));
}
