import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import type {
  DeletionImpact,
  ExportFormat,
  OrganizationSettings,
} from "@/lib/settings/organization/organization-schema";

export const ORGANIZATION_PATH = "/settings/organization";

/** The address of an export, which the browser downloads. */
export function exportAddress(format: ExportFormat): string {
  return `/api/v1${ORGANIZATION_PATH}/export?format=${format}`;
}

/** How often the organization is read again while it is measured. */
const REFETCH_MS = 2000;

/** Reads the organization. */
export const organizationQuery = {
  queryKey: queryKeys.organization(),
  queryFn: ({ signal }: { signal: AbortSignal }) => getJson<OrganizationSettings>(ORGANIZATION_PATH, signal),
};

/** The organization, read again until it has been measured for the first time. */
export function useOrganization() {
  return useQuery({
    ...organizationQuery,
    refetchInterval: ({ state: { data } }) => (data && data.storage.kinds === null ? REFETCH_MS : false),
  });
}

/** What its deletion would end, counted anew each time. */
export const deletionQuery = {
  queryKey: queryKeys.organizationDeletion(),
  queryFn: ({ signal }: { signal: AbortSignal }) => getJson<DeletionImpact>(`${ORGANIZATION_PATH}/deletion`, signal),
  staleTime: 0,
};
