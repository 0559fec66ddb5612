import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import type { AnyRecord } from "@/components/records/record";
import type { ResourceName } from "@/lib/records/schema/resources";

/** One record by its id; nothing for an empty one. */
export function useRecord(resource: ResourceName, id: string) {
  return useQuery({
    queryKey: queryKeys.record(resource, id),
    queryFn: ({ signal }) => getJson<AnyRecord>(`/${resource}/${encodeURIComponent(id)}`, signal),
    enabled: id !== "",
  });
}
