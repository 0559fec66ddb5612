import { RESOURCES } from "@/lib/records/schema/resources";

export interface ExportedTable {
  name: string;
  /** The name of its file, where that differs. */
  file?: string;
  /** Further columns: SQL about the row `t`. */
  more?: Readonly<Record<string, string>>;
}

function ofMember(column: "name" | "email"): string {
  return `(SELECT u.${column} FROM users u WHERE u.id = t.user_id)`;
}

/**
 * What an export has, a file per table, in this order. Records come before those that were deleted, so that one which
 * is deleted meanwhile is in both rather than in none. Columns of bytes are never exported: they are hashes and
 * encrypted values.
 */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  { name: "memberships", file: "members", more: { name: ofMember("name"), email: ofMember("email") } },
  ...RESOURCES.map((name) => ({ name })),
  { name: "opportunity_stage_changes" },
  { name: "deleted_records" },
  { name: "ext_aliases" },
  { name: "files" },
  { name: "saved_views" },
  { name: "webhooks" },
  { name: "oauth_clients", file: "api_clients" },
  { name: "oauth_grants", file: "allowed_apps" },
  { name: "connections" },
  { name: "migrations" },
  { name: "migration_objects" },
  { name: "migration_record_issues" },
  { name: "migration_files" },
  { name: "migration_proofs" },
  { name: "migration_history" },
  { name: "migration_conflicts" },
  { name: "migration_changes" },
  { name: "migration_undo_steps" },
  { name: "migration_undo_kept" },
  { name: "duplicate_searches" },
  { name: "duplicate_records" },
  { name: "events" },
  { name: "audit_events" },
];

const SIGN_IN = "It lets somebody in, or says who is signed in where.";
const BOOKKEEPING = "The service's own bookkeeping, which means nothing elsewhere.";

/** Tables with an organization's rows that no export has, and why. The manifest says it. */
export const LEFT_OUT_TABLES: Readonly<Record<string, string>> = {
  sessions: SIGN_IN,
  password_links: SIGN_IN,
  oauth_codes: SIGN_IN,
  oauth_tokens: SIGN_IN,
  connection_attempts: "Sign-ins at Salesforce that have begun; they end within ten minutes.",
  idempotency_keys: "Answers to requests of the last day, encrypted; what those requests stored is in the other files.",
  webhook_deliveries: "Which events were sent to which webhook. The events and the webhooks are in their files.",
  webhook_attempts: "What other services answered to webhooks: it may hold secrets of theirs.",
  webhook_import_paces: BOOKKEEPING,
  migration_left_out_files: `${BOOKKEEPING} The first hundred files that were left out are in migration_files.`,
  number_series: BOOKKEEPING,
  retired_case_numbers: BOOKKEEPING,
  waiting_links: `${BOOKKEEPING} What the links point at is in the records' custom fields.`,
};

/** What else is left out; also said in the manifest. */
export const LEFT_OUT_VALUES: Readonly<Record<string, string>> = {
  "passwords of members": "Only their hashes are stored, and those are never given out.",
  "people who were removed":
    "The audit log has their user ids, e-mail addresses and names with their removal; if an earlier release removed " +
    "them, no names.",
  "secrets of API clients": "Only their hashes are stored, and those are never given out.",
  "signing secrets of webhooks": "Whoever has one could send events in this service's name.",
  "access to Salesforce orgs": "Tokens are stored encrypted and never given out.",
  "digests of source records": "They serve imports alone.",
};
