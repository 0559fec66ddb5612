import { formatCount, formatNumber } from "@/components/ui/text/format";
import type { DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";
import type { SearchSummary } from "@/lib/migration/duplicates/duplicates-schema";

type Found = Pick<SearchSummary, "status" | "clusters" | "duplicates" | "source_records">;

/**
 * What each choice would do with the duplicates that a search has found: how many records would be merged, skipped or
 * listed, and how many would be here. Null before a search has ended.
 */
export function policyCounts(search: Found | undefined): Record<DuplicateChoices["action"], string> | null {
  if (search?.status !== "done") return null;
  const { clusters, duplicates, source_records: read } = search;
  const others = `${formatNumber(read - duplicates)} of ${formatCount(read, "record")}`;
  return {
    update: `${formatNumber(duplicates)} would be merged into ${formatNumber(clusters)}; ${others} become their own.`,
    skip: `${formatNumber(duplicates)} would be skipped; ${others} become their own.`,
    create: `${formatNumber(duplicates)} would be listed; all ${formatCount(read, "record")} become their own.`,
  };
}
