import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { selectedObjects } from "@/lib/migration/configuration/selected-objects";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { objectName } from "@/lib/migration/objects/source-object-names";
import { relationshipsByField } from "@/lib/migration/objects/relationships";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { Report } from "@/lib/migration/report/report-schema";

export function phaseOf(chosen: Configuration["objects"], object: SourceObjectName): number {
  return chosen[object]?.phase ?? 1;
}

interface Warning {
  pointer: string;
  code: string;
  detail: string;
}

/** The objects that come in an earlier phase than those that they name. That is possible, and seldom what is meant. */
export function phaseWarnings(report: Pick<Report, "inventory">, configuration: Configuration): Warning[] {
  const selected = selectedObjects(report, configuration);
  const phaseFor = (object: SourceObjectName) => phaseOf(configuration.objects, object);
  return [...selected].flatMap(([object, { fields }]) => {
    const links = [...relationshipsByField(object, fields, configuration.objects[object]?.fields).values()].flat();
    const later = [...selected.keys()].filter(
      (other) =>
        phaseFor(other) > phaseFor(object) && links.some(({ target }) => target === SOURCE_OBJECTS[other].resource),
    );
    return later.map((other) => {
      const isRequired = links.some(({ target, required }) => required && target === SOURCE_OBJECTS[other].resource);
      return {
        pointer: `/objects/${object}/phase`,
        code: "parent_in_later_phase",
        detail: laterDetail([object, phaseFor(object)], [other, phaseFor(other)], isRequired),
      };
    });
  });
}

type Placed = [object: SourceObjectName, phase: number];

function laterDetail([object, phase]: Placed, [other, later]: Placed, isRequired: boolean): string {
  const names =
    `${objectName(object)} come in phase ${phase}, and ${objectName(other)}, which they name, in phase ` + later;
  return isRequired
    ? `${names}. Without these they cannot be stored: they fail until phase ${phase} runs again after phase ${later}.`
    : `${names}. Until then the links stay empty; they are made when phase ${later} has run.`;
}
