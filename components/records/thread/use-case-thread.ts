import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { type AnyRecord, recordPage } from "@/components/records/record";
import { MAX_LIMIT } from "@/lib/input/page";

/** Every comment of a case, in the order of the thread. */
export function useCaseThread(caseId: string) {
  return useQuery({
    queryKey: queryKeys.records("case_comments", `thread of ${caseId}`),
    queryFn: async ({ signal }) => {
      const entries: AnyRecord[] = [];
      let cursor: string | null = null;
      do {
        const query = new URLSearchParams({ limit: String(MAX_LIMIT), ...(cursor && { cursor }) });
        const page = await getJson(`/cases/${caseId}/comments?${query}`, recordPage, signal);
        entries.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor);
      return entries;
    },
  });
}
