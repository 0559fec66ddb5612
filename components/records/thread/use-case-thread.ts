import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { type AnyRecord, recordPage } from "@/components/records/record";

const PAGE_SIZE = 200;

/**
 * The whole thread of a case in its own order: position, then id. Lists come newest first, so every page is read before
 * it is sorted.
 */
export function useCaseThread(caseId: string) {
  return useQuery({
    queryKey: queryKeys.records("case_comments", `thread of ${caseId}`),
    queryFn: async ({ signal }) => {
      const entries: AnyRecord[] = [];
      let cursor: string | null = null;
      do {
        const query: string = new URLSearchParams({
          case_id: caseId,
          limit: String(PAGE_SIZE),
          ...(cursor && { cursor }),
        }).toString();
        const page = await getJson(`/case_comments?${query}`, recordPage, signal);
        entries.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor);
      return entries.toSorted(inThreadOrder);
    },
  });
}

function inThreadOrder(a: AnyRecord, b: AnyRecord): number {
  return Number(a.position ?? 0) - Number(b.position ?? 0) || (a.id < b.id ? -1 : 1);
}
