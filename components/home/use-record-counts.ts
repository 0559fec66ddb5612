import { useQuery } from "@tanstack/react-query";
import { z } from "zod";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { RESOURCES } from "@/lib/records/schema/resources";

const counts = z.object({ data: z.array(z.object({ resource: z.enum(RESOURCES), records: z.number() })) });

export type RecordCount = z.infer<typeof counts>["data"][number];

/** How many records of each kind there are. */
export function useRecordCounts() {
  return useQuery({
    queryKey: queryKeys.recordCounts(),
    queryFn: ({ signal }) => getJson("/record_counts", counts, signal),
    select: ({ data }) => data,
  });
}
