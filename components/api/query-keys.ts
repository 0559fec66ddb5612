import type { InferDataFromTag, QueryClient, QueryKey, Updater } from "@tanstack/react-query";

/** The keys of the query cache, so that an update invalidates exactly what it changed. */
export const queryKeys = {
  records: (resource: string, filter: string) => ["records", resource, filter] as const,
  related: (resource: string, field: string, id: string) => ["records", resource, `related: ${field}=${id}`] as const,
  timeline: (field: string, id: string) => ["records", "activities", `timeline: ${field}=${id}`] as const,
  myOpen: (resource: string) => ["records", resource, "mine and open"] as const,
  thread: (caseId: string) => ["records", "case_comments", `thread of ${caseId}`] as const,
  threadFiles: (caseId: string) => ["files", `thread of ${caseId}`] as const,
  savedViews: (resource: string) => ["saved-views", resource] as const,
  search: (words: string) => ["search", words] as const,
  record: (resource: string, id: string) => ["record", resource, id] as const,
  deletedRecords: (kind: string) => ["records", "deleted", kind] as const,
  recordCounts: () => ["record-counts"] as const,
  events: () => ["events"] as const,
  pipeline: () => ["pipeline"] as const,
  stageChanges: (id: string) => ["stage-changes", id] as const,
  provenance: (resource: string, id: string) => ["record", resource, id, "provenance"] as const,
  files: (recordId: string) => ["files", recordId] as const,
  migrations: () => ["migrations"] as const,
  migrationsOf: (instanceUrl: string) => ["migrations", "of", instanceUrl] as const,
  migrationsUnderWay: () => ["migrations", "under way"] as const,
  connections: () => ["connections"] as const,
  migration: (id: string) => ["migration", id] as const,
  migrationName: (id: string) => ["migration-name", id] as const,
  analysis: (id: string) => ["migration", id, "analysis"] as const,
  report: (id: string) => ["migration", id, "report"] as const,
  history: (id: string, moment?: string) => ["migration", id, "history", ...(moment ? [moment] : [])] as const,
  conflicts: (id: string, filter?: string) => ["migration", id, "conflicts", ...(filter ? [filter] : [])] as const,
  undoImpact: (id: string) => ["migration", id, "undo-impact"] as const,
  undoKept: (id: string) => ["migration", id, "undo-kept"] as const,
  proof: (id: string) => ["migration", id, "proof"] as const,
  configuration: (id: string) => ["migration", id, "configuration"] as const,
  /** What depends on the saved configuration of a migration. */
  choices: (id: string) => ["migration", id, "choices"] as const,
  owners: (id: string) => ["migration", id, "choices", "owners"] as const,
  relationships: (id: string) => ["migration", id, "choices", "relationships"] as const,
  configurationCheck: (id: string, reportOf: string) => ["migration", id, "choices", "check", reportOf] as const,
  duplicates: (id: string) => ["migration", id, "duplicates"] as const,
  clusters: (id: string, object: string) => ["migration", id, "duplicates", object] as const,
  issues: (id: string, group?: string) => ["migration", id, "issues", ...(group ? [group] : [])] as const,
  apiClients: () => ["api-clients"] as const,
  apiClient: (id: string) => ["api-client", id] as const,
  apiClientNames: () => ["api-clients", "names"] as const,
  members: () => ["members"] as const,
  memberList: (q: string) => ["members", "list", q] as const,
  memberNames: () => ["members", "names"] as const,
  organization: () => ["organization"] as const,
  organizationDeletion: () => ["organization", "deletion"] as const,
  sessions: () => ["sessions"] as const,
  auditEvents: (filter: string) => ["audit-events", filter] as const,
  grants: () => ["grants"] as const,
  webhooks: () => ["webhooks"] as const,
  webhook: (id: string) => ["webhook", id] as const,
  deliveries: (id: string, filter: string) => ["webhook", id, "deliveries", filter] as const,
  delivery: (id: string, eventId: string) => ["webhook", id, "delivery", eventId] as const,
};

/**
 * Shows what a change has returned, or what it makes of the data that is there. A read that began before the change is
 * cancelled: its answer would bring back what was there, and a page that polls for the end of something would see
 * nothing to wait for.
 */
export async function replaceData<Data = unknown, Key extends QueryKey = QueryKey>(
  queries: QueryClient,
  queryKey: Key,
  data: Updater<InferDataFromTag<Data, Key> | undefined, InferDataFromTag<Data, Key> | undefined>,
): Promise<void> {
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData<Data, Key>(queryKey, data);
}
