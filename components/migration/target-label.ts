import { fieldLabel } from "@/components/records/fields/field-label";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/configuration-schema";

/** The target of a source field in words. */
export function targetLabel(target: string | null): string {
  if (target === null) return "Left out";
  return target === CUSTOM_FIELDS ? "Custom field" : fieldLabel(target);
}
