import { type PartName, PARTS } from "@/components/migration/configure/parts";
import type { Risk } from "@/lib/migration/report/report-schema";

/** The part of the configuration in which something can be done about a risk, by its code. */
const PART_FOR: Partial<Record<string, PartName>> = {
  api_limit: "options",
  attachments_left_behind: "options",
  files: "options",
  inactive_owners: "owners",
  owners_not_members: "owners",
  picklist_values_inactive: "values",
  picklist_values_unknown: "values",
  queue_owners: "owners",
};

/**
 * Mended in Salesforce, where the risk says, or by another connection. The effect is seen by another analysis, which
 * our connect step begins.
 */
const ANALYZE_AGAIN = "Connect and analyze again";

const CONNECT_FOR: Partial<Record<string, string>> = {
  automations_not_readable: ANALYZE_AGAIN,
  comments_without_case: ANALYZE_AGAIN,
  emails_hidden_in_part: ANALYZE_AGAIN,
  emails_without_case: ANALYZE_AGAIN,
  fields_not_readable: ANALYZE_AGAIN,
  object_not_counted: ANALYZE_AGAIN,
  object_not_readable: ANALYZE_AGAIN,
  owners_not_counted: ANALYZE_AGAIN,
  parent_not_readable: ANALYZE_AGAIN,
  token_may_expire: ANALYZE_AGAIN,
  user_sees_a_part: ANALYZE_AGAIN,
};

interface Remedy {
  href: string;
  label: string;
}

/** Which of our pages can do something about a risk of a migration; null if none can. */
export function remedyOf(migrationId: string, orgUrl: string, { code, object }: Risk): Remedy | null {
  const connect = CONNECT_FOR[code];
  if (connect) return { href: `/migration/new?ext_instance_url=${encodeURIComponent(orgUrl)}`, label: connect };
  const part = PARTS.find(({ name }) => name === PART_FOR[code]);
  if (!part) return null;
  const query = new URLSearchParams({ part: part.name, ...(object !== null && part.name === "values" && { object }) });
  return { href: `/migration/${migrationId}/configure?${query}`, label: `Configure ${part.label.toLowerCase()}` };
}
