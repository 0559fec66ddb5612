import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { queryKeys, replaceData } from "@/components/api/query-keys";
import { getJson, getTagged, putTagged, type Tagged } from "@/components/api/request";
import { STATUSES } from "@/components/migration/wizard/migration-statuses";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { Migration } from "@/lib/migration/migration-schema";
import type { AnalysisProgress } from "@/lib/migration/report/analysis-schema";
import type { Report } from "@/lib/migration/report/report-schema";

const POLL_MS = 1000;

/** Whatever its status, it may be set going elsewhere: in another tab, at another desk, or by a schedule. */
const SLOW_POLL_MS = 5000;

/** The current migration; polled while the page is visible, every second while it is worked on. */
export function useMigration(id: string) {
  return useQuery(currentMigration(id));
}

export function currentMigration(id: string) {
  return queryOptions({
    queryKey: queryKeys.migration(id),
    queryFn: ({ signal }) => getJson<Migration>(`/migration/${id}`, signal),
    refetchInterval: ({ state: { data } }) => data && (STATUSES[data.status].isLive ? POLL_MS : SLOW_POLL_MS),
    staleTime: 0,
  });
}

/**
 * Part of the key of what a run leaves behind. What was read while it was at work is not shown as its result.
 */
export function momentOf({ run_number: run, status }: Migration): string {
  return `${run} ${status}`;
}

/** What a running analysis has found so far; polled every second. */
export function useAnalysis(id: string) {
  return useQuery({
    queryKey: queryKeys.analysis(id),
    queryFn: ({ signal }) => getJson<AnalysisProgress>(`/migration/${id}/analysis`, signal),
    refetchInterval: POLL_MS,
    staleTime: 0,
  });
}

/** The report of an analysis, which never changes. */
export function useReport(id: string) {
  return useQuery({
    queryKey: queryKeys.report(id),
    queryFn: ({ signal }) => getJson<Report>(`/migration/${id}/report`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The saved choices. */
export function useConfiguration(id: string) {
  return useQuery({ ...savedConfiguration(id), select: ({ value }) => value });
}

/** The saved choices, with the tag by which a save names what it replaces. */
export function useTaggedConfiguration(id: string) {
  return useQuery(savedConfiguration(id));
}

function savedConfiguration(id: string) {
  return queryOptions({
    queryKey: queryKeys.configuration(id),
    queryFn: ({ signal }) => getTagged<Configuration>(`/migration/${id}/configuration`, signal),
  });
}

/** Saves the choices in place of those with the tag. This changes no records. */
export function useSaveConfiguration(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (draft: Tagged<Configuration>) => putTagged<Configuration>(`/migration/${id}/configuration`, draft),
    onSuccess: async (saved) => {
      await replaceData(queryClient, savedConfiguration(id).queryKey, saved);
      // Not awaited: counting asks the Salesforce org, and the choices are saved already.
      void queryClient.invalidateQueries({ queryKey: queryKeys.choices(id) });
    },
  });
}
