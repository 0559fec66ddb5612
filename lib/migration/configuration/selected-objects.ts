import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { IMPORT_ORDER, isSelectable, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { ObjectReport, Report } from "@/lib/migration/report/report-schema";

/** The objects that a run reads, with their reports: those that can be read and are not deselected. */
export function selectedObjects(
  { inventory }: Pick<Report, "inventory">,
  { objects }: Pick<Configuration, "objects">,
): Map<SourceObjectName, ObjectReport> {
  return new Map(
    IMPORT_ORDER.flatMap((name) => {
      const entry = inventory.find(({ object, status }) => object === name && isSelectable(status));
      return entry && objects[name]?.selected !== false ? [[name, entry] as const] : [];
    }),
  );
}
