import { CUSTOM_FIELDS, CUSTOM_PREFIX } from "@/lib/migration/configuration/custom-fields";
import { chosenTarget, isMappable, possibleTargets } from "@/lib/migration/configuration/mapping-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { FieldReport } from "@/lib/migration/report/report-schema";
import type { ResourceName } from "@/lib/records/schema/resources";

/**
 * Entries of threads and activities are no things of the world that somebody enters twice. For objects that are only
 * previewed there are no rules yet.
 */
const WITHOUT_DUPLICATES = new Set<ResourceName>(["case_comments", "activities", "leads", "opportunities", "products"]);

/** Whether the records of an object can be compared. */
export function canHaveDuplicates(object: SourceObjectName): boolean {
  return !WITHOUT_DUPLICATES.has(SOURCE_OBJECTS[object].resource);
}

/**
 * The fields by which the records of an object can be compared: those that its source fields go to by these choices,
 * custom fields last. No record of the source has a value of another field.
 */
export function comparableFields(
  object: SourceObjectName,
  fields: readonly Pick<FieldReport, "source" | "type" | "target">[],
  chosen: Readonly<Record<string, string | null>>,
): string[] {
  const mappable = fields.filter((field) => isMappable(object, field));
  const places = mappable.map((field) => [field.source, chosenTarget(field, chosen)] as const);
  const targets = new Set(places.map(([, target]) => target));
  const custom = places.filter(([, target]) => target === CUSTOM_FIELDS);
  return [
    ...possibleTargets(SOURCE_OBJECTS[object]).filter((name) => targets.has(name)),
    ...custom.map(([source]) => CUSTOM_PREFIX + source),
  ];
}
