/** Rows of tables without `organization_id` that belong to organizations all the same: which of them a scope shows. */
export const OWN_ROWS: Readonly<Record<string, string>> = {
  organizations: "id = nullif(current_setting('app.organization_id', true), '')::uuid",
  users: "EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id)",
  oauth_client_secrets: "EXISTS (SELECT FROM oauth_clients c WHERE c.id = oauth_client_secrets.client_id)",
  oauth_authorizations: "EXISTS (SELECT FROM oauth_clients c WHERE c.id = oauth_authorizations.client_id)",
};

/** Which rows of every table with `organization_id` a scope shows, and takes. */
export const ROWS_OF_ORGANIZATION = "organization_id = nullif(current_setting('app.organization_id', true), '')::uuid";

/**
 * Tables that hold nothing of an organization but ids: counters of attempts under digests, and the job engine's memory.
 */
export const WITHOUT_ORGANIZATION = ["throttles", "job_events", "job_runs", "job_steps"];

/** What the service may do to a table within a scope, where that is not everything. */
export const WITHIN_SCOPE: Readonly<Record<string, readonly string[]>> = { audit_events: ["SELECT", "INSERT"] };

/**
 * What `acrossOrganizations` (`lib/database/organization-scope.ts`) may do, table by table: what it does not name is
 * closed to it, all records first. Each command is one that a statement of the service sends, and a new one needs a
 * reason that no scope serves. Rows that go with others by a foreign key need none.
 */
export const ACROSS_ORGANIZATIONS: Readonly<Record<string, readonly string[]>> = {
  // Who somebody is, before it is known of which organization: setup, sign-in, sessions, tokens.
  organizations: ["SELECT (id, name)"],
  users: ["SELECT", "INSERT", "UPDATE (id, name, password_hash, has_link_password, oidc_issuer, oidc_subject)"],
  // Locking a row needs the right to change something of it.
  memberships: ["SELECT", "INSERT", "UPDATE (created_at)"],
  sessions: ["SELECT", "DELETE"],
  password_links: ["SELECT", "DELETE"],
  oauth_clients: ["SELECT"],
  oauth_client_secrets: ["SELECT"],
  oauth_authorizations: ["SELECT", "DELETE"],
  oauth_grants: ["SELECT"],
  oauth_codes: ["SELECT", "DELETE"],
  oauth_tokens: ["SELECT"],
  // What is forgotten in time, all organizations at once: by its moment, without a look at what it says.
  connection_attempts: ["SELECT (expires_at)", "DELETE"],
  deleted_records: ["SELECT (ctid, organization_id, resource, id, deleted_at)", "DELETE"],
  opportunity_stage_changes: ["SELECT (organization_id, opportunity_id)", "DELETE"],
  opportunities: ["SELECT (organization_id, id)"],
  idempotency_keys: ["SELECT (ctid, created_at)", "UPDATE (created_at)", "DELETE"],
  webhook_deliveries: [
    "SELECT (ctid, organization_id, webhook_id, type, state, created_at, next_attempt_at)",
    "DELETE",
  ],
  webhook_attempts: ["SELECT (ctid, attempted_at)", "DELETE"],
  webhook_import_paces: ["SELECT (ctid, paced_until)", "UPDATE (paced_until)", "DELETE"],
  // What finds work that nobody has asked for.
  webhooks: [
    "SELECT (organization_id, id, active, previous_secret_expires_at, url_client_id, url_set_by_id)",
    "UPDATE (previous_secret, previous_secret_expires_at)",
  ],
  migrations: ["SELECT (organization_id, id, status, run_number, started_at, created_at)"],
};
