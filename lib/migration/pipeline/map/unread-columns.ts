import type { Shape } from "@/lib/migration/objects/declaration";

/**
 * The columns of which not everything is read, because the Salesforce user may not see the fields, or they are no more.
 * What stands in for them in new records would replace what is here.
 */
export function unreadColumns(
  shape: Shape,
  told: ReadonlySet<string>,
  targets: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const mapped = new Set(targets.values());
  const unmade = Object.entries(shape.computed).filter(([, fields]) => !fields.every((field) => told.has(field)));
  const unfilled = Object.keys(shape.placeholders).filter(
    (column) => !Object.hasOwn(shape.computed, column) && !mapped.has(column),
  );
  return new Set([...unmade.map(([column]) => column), ...unfilled, ...(told.has("OwnerId") ? [] : ["owner_id"])]);
}
