import { fieldLabel } from "@/components/records/fields/field-label";

/** Where a source field goes, in words. */
export function targetLabel(target: string | null): string {
  if (target === null) return "Left out";
  return target === "custom_fields" ? "Custom field" : fieldLabel(target);
}
