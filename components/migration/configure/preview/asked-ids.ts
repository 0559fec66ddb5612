import { formatNumber } from "@/components/ui/text/format";
import { MAX_PREVIEWED } from "@/lib/migration/preview/preview-schema";
import { isSalesforceId, noSalesforceId } from "@/lib/salesforce/ids";

/** The Salesforce ids that somebody has typed, in whatever way they are separated. */
export function idsIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean);
}

/** What is wrong with them; null if nothing is. */
export function faultOf(ids: readonly string[]): string | null {
  const wrong = ids.find((id) => !isSalesforceId(id));
  if (wrong !== undefined) return noSalesforceId(wrong);
  return ids.length > MAX_PREVIEWED
    ? `${formatNumber(ids.length)} ids are more than the ${MAX_PREVIEWED} of one preview.`
    : null;
}
