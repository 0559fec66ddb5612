/** Tables without `organization_id` whose rows belong to organizations: the rows that a scope can see. */
export const OWN_ROWS: Readonly<Record<string, string>> = {
  organizations: "id = nullif(current_setting('app.organization_id', true), '')::uuid",
  users: "EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id)",
  oauth_client_secrets: "EXISTS (SELECT FROM oauth_clients c WHERE c.id = oauth_client_secrets.client_id)",
  oauth_authorizations: "EXISTS (SELECT FROM oauth_clients c WHERE c.id = oauth_authorizations.client_id)",
};

/** The rows of a table with `organization_id` that a scope can see and write. */
export const ROWS_OF_ORGANIZATION = "organization_id = nullif(current_setting('app.organization_id', true), '')::uuid";

/**
 * Tables with no data of an organization except ids: counters of attempts under digests, the job engine's state, the
 * deletions of organizations, and the scripts and styles of builds.
 */
export const WITHOUT_ORGANIZATION = [
  "throttles",
  "job_requests",
  "job_events",
  "job_runs",
  "job_steps",
  "organization_deletions",
  "static_files",
];

/**
 * Privileges of the service within a scope, for tables where it does not have all. Rows of the audit log can be deleted
 * only once their organization is, which a trigger checks; that it was deleted stays.
 */
export const WITHIN_SCOPE: Readonly<Record<string, readonly string[]>> = {
  audit_events: ["SELECT", "INSERT", "DELETE"],
  organization_deletions: ["INSERT"],
  static_files: ["SELECT"],
};

/**
 * Privileges of `acrossOrganizations` (`lib/database/organization-scope.ts`), per table. It cannot access other tables,
 * least of all records. Each privilege is needed by a statement of the service. A new one needs a reason why no scope
 * can be used. Rows that are deleted by a foreign key need no privilege.
 */
export const ACROSS_ORGANIZATIONS: Readonly<Record<string, readonly string[]>> = {
  // Who somebody is, before the organization is known: setup, sign-in, sessions, tokens.
  organizations: ["SELECT (id, name, currency, time_zone, deleted_at)"],
  users: ["SELECT", "INSERT", "UPDATE (id, name, password_hash, has_link_password, oidc_issuer, oidc_subject)"],
  // Locking a row needs the privilege to update a column of it.
  memberships: ["SELECT", "INSERT", "UPDATE (created_at)"],
  sessions: ["SELECT", "DELETE"],
  password_links: ["SELECT", "DELETE"],
  oauth_clients: ["SELECT"],
  oauth_client_secrets: ["SELECT"],
  oauth_authorizations: ["SELECT", "DELETE"],
  oauth_grants: ["SELECT"],
  oauth_codes: ["SELECT", "DELETE"],
  oauth_tokens: ["SELECT"],
  // Expired rows of all organizations, deleted by their time without reading their content.
  connection_attempts: ["SELECT (expires_at)", "DELETE"],
  // The release before this one purges across organizations; the next one removes these three, and the index on
  // deleted_at that only its purge uses.
  deleted_records: ["SELECT (ctid, organization_id, resource, id, deleted_at)", "DELETE"],
  opportunity_stage_changes: ["SELECT (organization_id, opportunity_id)", "DELETE"],
  opportunities: ["SELECT (organization_id, id)"],
  idempotency_keys: ["SELECT (ctid, created_at)", "UPDATE (created_at)", "DELETE"],
  // As above; the next release removes `ctid`, `created_at` and DELETE.
  webhook_deliveries: [
    "SELECT (ctid, organization_id, webhook_id, type, state, created_at, next_attempt_at)",
    "DELETE",
  ],
  // As above; the next release removes it.
  webhook_attempts: ["SELECT (ctid, attempted_at)", "DELETE"],
  webhook_import_paces: ["SELECT (ctid, paced_until)", "UPDATE (paced_until)", "DELETE"],
  // Finds work that no job was requested for.
  webhooks: [
    "SELECT (organization_id, id, active, previous_secret_expires_at, url_client_id, url_set_by_id)",
    "UPDATE (previous_secret, previous_secret_expires_at)",
  ],
  job_requests: ["SELECT (migration_id)"],
  migrations: [
    "SELECT (organization_id, id, status, run_number, resumed_at, wakes_at, started_at, created_at)",
    "SELECT (undo_number, undo_started_at, delta_next_at)",
  ],
};
