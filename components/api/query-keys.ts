/** Every key of the query cache, so that an update invalidates exactly what it touched. */
export const queryKeys = {
  records: (resource: string, filter: string) => ["records", resource, filter] as const,
  record: (resource: string, id: string) => ["record", resource, id] as const,
  migrations: () => ["migrations"] as const,
  migration: (id: string) => ["migration", id] as const,
  report: (id: string) => ["migration", id, "report"] as const,
  configuration: (id: string) => ["migration", id, "configuration"] as const,
  issues: (id: string, group?: string) => ["migration", id, "issues", ...(group ? [group] : [])] as const,
  apiClients: () => ["api-clients"] as const,
  apiClient: (id: string) => ["api-client", id] as const,
  apiClientNames: () => ["api-clients", "names"] as const,
  members: () => ["members"] as const,
  auditEvents: (filter: string) => ["audit-events", filter] as const,
  grants: () => ["grants"] as const,
};
