/**
 * The migrations of this release, those of `prisma/migrations`, so that a built service knows them without that folder.
 * `npm run migration:new` writes this list; a test compares it with the folder.
 */
export const RELEASE_MIGRATIONS: readonly string[] = [
  "00000000000000_init",
  "00000000000001_append_only_audit_log",
  "00000000000002_search",
  "00000000000003_refresh_statistics",
  "20261122192508_client_version",
  "20261122224134_duplicates",
  "20261122224154_proof",
  "20261122225020_waiting_links",
  "20261122230605_bulk_reads",
  "20261122231332_provenance",
  "20261122231806_pause",
  "20261122233557_api_limit",
  "20261122234321_undo",
  "20261122235000_narrow_statistics",
  "20261123013331_conflicts",
  "20261123020430_files",
  "20261123020535_phases",
  "20261123021614_run_kind",
  "20261123021703_duplicate_issues",
  "20261123022958_report_duplicates",
  "20261123024702_delta",
  "20261123051759_partial_indexes",
  "20261123070000_refresh_small_tables",
  "20261123085019_source_digest",
  "20261123161500_organization_settings",
  "20261123172000_migration_history",
  "20261123200000_sorted_lists",
  "20261123201500_saved_views",
];
