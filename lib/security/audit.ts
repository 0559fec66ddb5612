import type { Pool, PoolClient } from "pg";

import { inOrganization } from "@/lib/database/organization-scope";
import { newId, timeOf } from "@/lib/ids";
import { countStoredBytes } from "@/lib/storage-quota";

/** What the audit log tells of. */
export const AUDIT_ACTIONS = [
  "sign_in.succeeded",
  "sign_in.failed",
  "sign_in.throttled",
  "sign_out",
  "session.ended",
  "password.changed",
  "password.refused",
  "password_link.created",
  "password_link.used",
  "user.linked",
  "user.joined",
  "member.added",
  "member.role_changed",
  "member.disabled",
  "member.enabled",
  "member.removed",
  "member.sessions_ended",
  "client.created",
  "client.updated",
  "client.secret_rotated",
  "client.secret_ended",
  "client.revoked",
  "client.refused",
  "consent.given",
  "consent.denied",
  "grant.revoked",
  "token.issued",
  "token.revoked",
  "code.replayed",
  "org.connected",
  "org.disconnected",
  "migration.configured",
  "migration.started",
  "webhook.created",
  "webhook.updated",
  "webhook.secret_rotated",
  "webhook.resent",
  "webhook.recovered",
  "webhook.deleted",
  "webhook.disabled",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditEvent {
  organizationId: string;
  action: AuditAction;
  /** The network address that it came from, or null when it came from no request. */
  address: string | null;
  /** Who did it, or in whose name it was done. */
  userId?: string | null;
  /** The OAuth client concerned: its row id. */
  clientId?: string | null;
  /** What else a reader should know: ids, names, counts. Never a secret, a code or a token. */
  details?: Record<string, unknown>;
}

/** Names are copied, so that the log still says who it was after a user or a client is gone. */
const APPEND = `
  INSERT INTO audit_events (organization_id, id, created_at, action, user_id, user_email, client_id, client_name, address, details)
  VALUES ($1, $2, $3, $4, $5, (SELECT email FROM users WHERE id = $5), $6, (SELECT name FROM oauth_clients WHERE id = $6), $7, $8)`;

/** Of an event beside its details, in bytes: ids, times, names and an address. */
const BESIDE_DETAILS = 300;

/**
 * Appends to the organization's audit log. Pass the connection of the transaction that makes the change, so that
 * neither stands without the other.
 */
export async function recordAudit(database: Pool | PoolClient, event: AuditEvent): Promise<void> {
  const { organizationId, action, address, userId = null, clientId = null, details = {} } = event;
  const id = newId();
  const text = JSON.stringify(details);
  const values = [organizationId, id, timeOf(id), action, userId, clientId, address, text];
  await inOrganization(organizationId, () => database.query(APPEND, values));
  // Not waited for: it may ask for a connection beside the one of the transaction. Nobody can delete what was appended,
  // so it counts even when it is undone.
  void countStoredBytes(organizationId, BESIDE_DETAILS + text.length);
}
