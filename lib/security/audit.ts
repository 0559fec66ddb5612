import type { Pool, PoolClient } from "pg";

import { inOrganization } from "@/lib/database/organization-scope";
import { newId, timeOf } from "@/lib/ids";
import { countStoredBytes } from "@/lib/storage-quota";

/** The events of the audit log. */
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
  "person.renamed",
  "organization.updated",
  "organization.exported",
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
  "migration.conflicts_decided",
  "migration.cancelled",
  "migration.paused",
  "migration.resumed",
  "migration.retried",
  "migration.delta_started",
  "migration.deltas_scheduled",
  "migration.started",
  "migration.undone",
  "webhook.created",
  "webhook.updated",
  "webhook.secret_rotated",
  "webhook.resent",
  "webhook.recovered",
  "webhook.deleted",
  "webhook.disabled",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who acts in an organization; the context of an operation is one. */
interface Actor {
  organizationId: string;
  /** Who did it, or on whose behalf. */
  userId?: string | null;
  /** The network address of the request; null outside of one. */
  address: string | null;
}

interface Facts {
  /** The OAuth client concerned: its row id. That of the context is not meant unless it is given. */
  clientId?: string | null;
  /** For the reader: ids, names, counts. Never a secret, a code or a token. */
  details?: Record<string, unknown>;
}

/** Names are copied, so that the log still shows them after a user or a client is deleted. */
const APPEND = `
  INSERT INTO audit_events (
    organization_id, id, created_at, action, user_id, user_email, client_id, client_name, address, details)
  VALUES ($1, $2, $3, $4, $5, (SELECT email FROM users WHERE id = $5), $6,
    (SELECT name FROM oauth_clients WHERE id = $6), $7, $8)`;

/** The size of an event without its details: ids, times, names and an address. */
const EVENT_OVERHEAD_BYTES = 300;

/**
 * Appends to the organization's audit log. Pass the connection of the transaction that makes the change, so that either
 * both are stored or neither.
 */
export async function recordAudit(
  database: Pool | PoolClient,
  { organizationId, userId = null, address }: Actor,
  action: AuditAction,
  { clientId = null, details = {} }: Facts = {},
): Promise<void> {
  const id = newId();
  const text = JSON.stringify(details);
  const values = [organizationId, id, timeOf(id), action, userId, clientId, address, text];
  await inOrganization(organizationId, () => database.query(APPEND, values));
  // Not awaited: it may need a second connection beside the transaction's. Nobody can delete entries, so it counts even
  // where the transaction is rolled back.
  void countStoredBytes(organizationId, EVENT_OVERHEAD_BYTES + text.length);
}
