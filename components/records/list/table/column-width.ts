import { fieldOf } from "@/components/records/fields/field-of";
import type { FieldKind } from "@/lib/records/schema/field";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What most values of a kind need, in rem. Wider tables share the rest out in these proportions. */
const WIDTHS: Partial<Record<FieldKind, number>> = {
  timestamp: 12,
  date: 8.5,
  boolean: 6.5,
  integer: 8,
  money: 9,
  enum: 9,
  id: 20,
};

const TEXT_WIDTH = 10;

/** The least width of a field's column, in rem. */
export function columnWidth(resource: ResourceName, name: string): number {
  if (/(email|website)$/.test(name)) return 14;
  return WIDTHS[fieldOf(resource, name)?.kind ?? "text"] ?? TEXT_WIDTH;
}
