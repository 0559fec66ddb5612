import { choicesFor, selectableObjects, selectedObjects } from "@/components/migration/configure/draft/choices";
import { targetLabel } from "@/components/migration/report/findings";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { sharedTargets } from "@/lib/migration/configuration/mapping-rules";
import { objectName } from "@/lib/migration/objects/migrated-objects";
import type { Report } from "@/lib/migration/report/report-schema";

/** What has to be mended before the choices can be saved, in sentences. */
export function obstaclesIn(report: Report, draft: Configuration): string[] {
  const shared = selectableObjects(report).flatMap(({ object }) =>
    sharedTargets(choicesFor(draft, object).fields).map(
      ([target, fields]) =>
        `${objectName(object)}: “${targetLabel(target)}” is chosen for ${fields.join(" and ")}. ` +
        "Give one of them another target.",
    ),
  );
  const isEmpty = selectedObjects(report, draft).length === 0;
  return [...shared, ...(isEmpty ? ["Select at least one object to migrate."] : [])];
}
