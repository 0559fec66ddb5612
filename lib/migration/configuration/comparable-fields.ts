import type { ImportedResource } from "@/lib/migration/objects/declaration";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";

/**
 * Entries of threads and activities are no things of the world that somebody enters twice. For objects that are only
 * previewed there are no rules yet.
 */
const WITHOUT_DUPLICATES = new Set<ImportedResource>([
  "case_comments",
  "activities",
  "leads",
  "opportunities",
  "products",
]);

/** Whether the records of an object can be compared. */
export function canHaveDuplicates(object: MigratedObjectName): boolean {
  return !WITHOUT_DUPLICATES.has(SOURCE_OBJECTS[object].resource);
}
