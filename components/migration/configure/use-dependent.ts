import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import type { CheckedChoices } from "@/lib/migration/configuration/exported-schema";
import type { SourceOwners } from "@/lib/migration/owners/owners-schema";
import type { Relationships } from "@/lib/migration/relationships/relationships-schema";

/** Counting asks the Salesforce org, so what was counted is shown for a while before it is counted again. */
const STALE_MS = 300_000;

/** The users and queues of the org, and whom each becomes by the saved choices. */
export function useOwners(id: string) {
  return useQuery({
    queryKey: queryKeys.owners(id),
    queryFn: ({ signal }) => getJson<SourceOwners>(`/migration/${id}/owners`, signal),
    staleTime: STALE_MS,
  });
}

/** The links of the selected objects, and how many records each choice touches by the saved choices. */
export function useRelationships(id: string) {
  return useQuery({
    queryKey: queryKeys.relationships(id),
    queryFn: ({ signal }) => getJson<Relationships>(`/migration/${id}/relationships`, signal),
    staleTime: STALE_MS,
  });
}

/** The saved choices compared with the report of this migration or of a later one of the same org. */
export function useCheck(id: string, reportOf: string) {
  return useQuery({
    queryKey: queryKeys.configurationCheck(id, reportOf),
    queryFn: ({ signal }) =>
      getJson<CheckedChoices>(`/migration/${id}/configuration/check?report_of=${reportOf}`, signal),
  });
}
