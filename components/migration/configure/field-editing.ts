import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";

/** What every control of a field's row needs: of which object it is, the choices so far, and how to change them. */
export interface FieldEditing {
  object: MigratedObjectName;
  draft: Configuration;
  isLocked: boolean;
  onChange: (draft: Configuration) => void;
}
