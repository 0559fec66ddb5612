import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import type { AuditEvent } from "@/components/settings/audit-log/audit-event";
import { apiQuery, type AuditFilter } from "@/components/settings/audit-log/filter/filter";

/** The audit log, newest first. */
export function useAuditEvents(filter: AuditFilter) {
  const query = apiQuery(filter);
  return useList<AuditEvent>({
    queryKey: queryKeys.auditEvents(query),
    path: `/settings/audit_events${query && `?${query}`}`,
    keepsPrevious: true,
  });
}
