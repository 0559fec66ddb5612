import { env } from "@/lib/env";
import { resourcesOf } from "@/lib/migration/objects/declaration";
import {
  IMPORT_ORDER,
  AUTOMATIC_OBJECTS,
  type SourceObjectName,
  PLANNED_OBJECTS,
} from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";

const SETTINGS = { Lead: "lead", Opportunity: "opportunity", Product2: "product" } as const;

/** The planned objects that the settings name: migrations import them as a preview. */
function previewedObjects(): (typeof PLANNED_OBJECTS)[number][] {
  return PLANNED_OBJECTS.filter((name) => env.MIGRATION_PREVIEW_OBJECTS.includes(SETTINGS[name]));
}

/** The objects that migrations of this service import, in the order of import. */
export function importedObjects(): readonly SourceObjectName[] {
  const previewed = previewedObjects();
  if (previewed.length === 0) return AUTOMATIC_OBJECTS;
  const imported = new Set<string>([...AUTOMATIC_OBJECTS, ...previewed]);
  return IMPORT_ORDER.filter((name) => imported.has(name));
}

export function isImported(object: string): object is SourceObjectName {
  return (importedObjects() as readonly string[]).includes(object);
}

/** Whether records of a migration are stored in this resource: a link to one can wait for it. */
export function isImportedResource(resource: string): boolean {
  return importedObjects().some((name) => resourcesOf(SOURCE_OBJECTS[name]).some((own) => own === resource));
}
