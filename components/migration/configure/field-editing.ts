import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";

/** The props that all controls in the row of a field share. */
export interface FieldEditing {
  object: MigratedObjectName;
  draft: Configuration;
  isLocked: boolean;
  onChange: (draft: Configuration) => void;
}
