import { formatCount, formatNumber } from "@/components/ui/text/format";
import type { DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";
import type { SearchSummary } from "@/lib/migration/duplicates/duplicates-schema";

type Found = Pick<SearchSummary, "status" | "clusters" | "duplicates" | "source_records">;

/**
 * What each choice would do with the duplicates that a search has found, and how many records would be here then. Null
 * before a search has ended, and where it has found none.
 */
export function policyCounts(search: Found | undefined): Record<DuplicateChoices["action"], string> | null {
  if (search?.status !== "done" || search.duplicates === 0) return null;
  const { clusters, duplicates, source_records: read } = search;
  const found = formatNumber(duplicates);
  const others = `${formatNumber(read - duplicates)} of ${formatCount(read, "record")} would be here.`;
  return {
    update: `${found} would be merged into ${formatNumber(clusters)}. ${others}`,
    skip: `${found} would be skipped. ${others}`,
    create: `${found} would be listed. All ${formatCount(read, "record")} would be here.`,
  };
}
