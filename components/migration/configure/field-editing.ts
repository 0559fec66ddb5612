import type { Configuration, MigratedObjectName } from "@/lib/migration/schemas";

/** What every control of a field's row needs: of which object it is, the choices so far, and how to change them. */
export interface FieldEditing {
  object: MigratedObjectName;
  draft: Configuration;
  isLocked: boolean;
  onChange: (draft: Configuration) => void;
}
