import { type PartName, PARTS } from "@/components/migration/configure/parts";
import type { Risk } from "@/lib/migration/report/report-schema";

/** The part of the configuration in which something can be done about a risk, by its code. */
const PART_FOR: Partial<Record<string, PartName>> = {
  api_limit: "objects",
  attachments_left_behind: "options",
  files: "options",
  inactive_owners: "owners",
  owners_not_members: "owners",
  picklist_values_inactive: "values",
  picklist_values_unknown: "values",
  queue_owners: "owners",
};

/** Where in the configuration something can be done about a risk; null if nothing can. */
export function remedyOf(migrationId: string, { code, object }: Risk): { href: string; label: string } | null {
  const part = PARTS.find(({ name }) => name === PART_FOR[code]);
  if (!part) return null;
  const query = new URLSearchParams({ part: part.name, ...(object !== null && part.name === "values" && { object }) });
  return { href: `/migration/${migrationId}/configure?${query}`, label: `Configure ${part.label.toLowerCase()}` };
}
