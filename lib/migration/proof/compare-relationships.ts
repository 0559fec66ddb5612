import { queryLong } from "@/lib/migration/long-statements";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import { readGroups } from "@/lib/migration/pipeline/read/count-groups";
import { conditionsOf } from "@/lib/migration/pipeline/read/window";
import type { Comparing, ComparingFields } from "@/lib/migration/proof/compare-ids";
import type { ComparedLink } from "@/lib/migration/proof/compared-fields";
import { countHere } from "@/lib/migration/proof/count-here";
import { notKept } from "@/lib/migration/proof/kept-records";
import { type Comparison, MAX_SHOWN_DIFFERENCES } from "@/lib/migration/proof/proof-schema";
import { isInSource } from "@/lib/migration/proof/records-not-in-source";

interface Children {
  extId: string;
  source: number;
  here: number;
}

/**
 * Compares, for one lookup field, how many records name each parent: counted in the source by aggregate queries, and
 * here by the links. Parents that are not here are compared by the ids that their children keep. `others`: how many
 * records that are no record of their own here name each parent.
 */
export async function compareRelationship(
  comparing: ComparingFields,
  relationship: ComparedLink,
  others: ReadonlyMap<string, number>,
): Promise<Comparison> {
  const shown: Children[] = [];
  let different = 0;
  const compare = (children: Children) => {
    if (children.source === children.here) return;
    different += 1;
    if (shown.length < MAX_SHOWN_DIFFERENCES) shown.push(children);
  };
  const merged = new Map<string, Children>();
  let compared = 0;
  let absent = 0;
  for await (const groups of countByParent(comparing, relationship)) {
    compared += groups.size;
    const here = await countHere(comparing, relationship, [...groups.keys()]);
    for (const [extId, count] of groups) {
      const source = count - (others.get(extId) ?? 0);
      const parent = here.get(extId);
      if (!parent) absent += source;
      else if (parent.isMerged) addTo(merged, parent.id, { extId, source, here: parent.here });
      else compare({ extId, source, here: parent.here });
    }
  }
  for (const children of merged.values()) compare(children);
  const kept = await countKept(comparing, relationship);
  // An id that is kept under another name may be there without the lookup field.
  if (relationship.keptAs ? kept < absent : kept !== absent)
    compare({ extId: "parents that are not here", source: absent, here: kept });
  return {
    field: relationship.field,
    compared,
    different,
    differences: shown.map(({ extId, source, here }) => ({ key: extId, source, here })),
    not_compared_because: null,
  };
}

/** Adds the children of a source record to those of the record that it became together with others. */
function addTo(merged: Map<string, Children>, id: string, { extId, source, here }: Children): void {
  const before = merged.get(id);
  merged.set(id, { extId: before?.extId ?? extId, source: (before?.source ?? 0) + source, here });
}

/** The number of records that name each parent, in pages in the order of the parents' ids. */
async function* countByParent(
  { client, plan: { object }, window }: Comparing,
  { field, prefix }: ComparedLink,
): AsyncGenerator<Map<string, number>> {
  const where = conditionsOf(object.name, window);
  const read = { from: object.name, field, where, limit: object.maxPageRecords, after: `${prefix}000000000000AAA` };
  for await (const groups of readGroups(client, read)) {
    // A lookup to several objects goes on with ids of other objects.
    const own = new Map([...groups].filter(([id]) => id.startsWith(prefix)));
    if (own.size > 0) yield own;
    if (own.size < groups.size) return;
  }
}

/** The number of records that keep the id of a parent that is not here. */
async function countKept(
  { key, plan, notInSource }: ComparingFields,
  { field, column, prefix, keptAs = field }: ComparedLink,
): Promise<number> {
  const [counted] = await queryLong<{ kept: number }>(
    `SELECT count(*)::int AS kept FROM ${plan.main.shape.resource} child
     WHERE child.organization_id = $1 AND starts_with(child.ext_id, $2) AND child.${column} IS NULL
       AND ${notKept("child", "$6", "$7")} AND ${isInSource("child", "$8")}
       AND starts_with(coalesce(child.custom_fields ->> $3, child.custom_fields ->> $5), $4)`,
    [
      key.organizationId,
      KEY_PREFIXES[plan.object.name],
      field,
      prefix,
      keptAs,
      key.migrationId,
      plan.object.name,
      notInSource,
    ],
  );
  return counted?.kept ?? 0;
}
