import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import type { ResourceName } from "@/lib/records/schema/resources";

export interface RecordCount {
  resource: ResourceName;
  records: number;
}

/** How many records of each kind there are. */
export function useRecordCounts() {
  return useQuery({
    queryKey: queryKeys.recordCounts(),
    queryFn: ({ signal }) => getJson<{ data: RecordCount[] }>("/record_counts", signal),
    select: ({ data }) => data,
  });
}
