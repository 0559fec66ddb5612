import type { Shape } from "@/lib/migration/objects/declaration";

/**
 * Columns whose source fields are not all readable: hidden from the Salesforce user, or deleted in the org. An import
 * leaves them as they are; a placeholder, or a value made of the remaining fields, would overwrite what an earlier run
 * imported.
 */
export function unreadColumns(
  shape: Shape,
  readable: ReadonlySet<string>,
  targets: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const mapped = new Set(targets.values());
  const unmade = Object.entries(shape.computed).filter(([, fields]) => !fields.every((field) => readable.has(field)));
  const unfilled = Object.keys(shape.placeholders).filter(
    (column) => !Object.hasOwn(shape.computed, column) && !mapped.has(column),
  );
  const following = Object.entries(shape.follows ?? {}).filter(([, leader]) => unfilled.includes(leader));
  return new Set([
    ...[...unmade, ...following].map(([column]) => column),
    ...unfilled,
    ...(readable.has("OwnerId") ? [] : ["owner_id"]),
  ]);
}
