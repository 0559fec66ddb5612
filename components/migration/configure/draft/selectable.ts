import { choicesFor } from "@/components/migration/configure/draft";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { isMigrated, isSelectable, type MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import type { ObjectReport, Report } from "@/lib/migration/report/report-schema";

export interface SelectableObject {
  object: MigratedObjectName;
  item: ObjectReport;
}

/** The objects of a report that can be migrated. */
export function selectableObjects({ inventory }: Pick<Report, "inventory">): SelectableObject[] {
  return inventory.flatMap((item) =>
    isSelectable(item.status) && isMigrated(item.object) ? [{ item, object: item.object }] : [],
  );
}

/** Those that will be migrated. */
export function selectedObjects(report: Pick<Report, "inventory">, draft: Configuration): SelectableObject[] {
  return selectableObjects(report).filter(({ object }) => choicesFor(draft, object).selected);
}
