import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { prisma } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { orgDisconnected } from "@/lib/migration/failure";
import { SalesforceError } from "@/lib/salesforce/errors";
import type { OrgIdentity } from "@/lib/salesforce/probe";
import { recordAudit } from "@/lib/security/audit";
import { decrypt, encrypt, DecryptionError } from "@/lib/security/crypto";

export interface ConnectionKey {
  organizationId: string;
  connectionId: string;
}

type TokenColumn = "access_token_enc" | "refresh_token_enc";

export function sealToken(
  { organizationId, connectionId }: ConnectionKey,
  column: TokenColumn,
  token: string,
): Uint8Array<ArrayBuffer> {
  return encrypt([`connections.${column}`, organizationId, connectionId], token);
}

const UNREADABLE =
  "The stored access to this Salesforce org can no longer be read, because the secret of this service was changed. " +
  "Connect the org again, or have whoever runs this service restore its earlier APP_SECRET.";

/**
 * Decrypts a stored token. Throws `source_token_refused` when the org was disconnected, or when the secret that the
 * token is encrypted with is no longer set.
 */
export function openToken(
  { organizationId, connectionId }: ConnectionKey,
  column: TokenColumn,
  sealed: Uint8Array | null,
): string {
  if (sealed === null) throw orgDisconnected();
  try {
    return decrypt([`connections.${column}`, organizationId, connectionId], sealed);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    throw new SalesforceError("source_token_refused", UNREADABLE, { cause: error });
  }
}

interface Secrets {
  accessToken: string;
  refreshToken?: string | undefined;
  /** The host that exchanges the refresh token; null if there is none. */
  loginUrl: string | null;
}

/** The row of a new connection: the identity of the org, and the encrypted tokens. */
export function connectionRow(owner: { organizationId: string; userId: string }, org: OrgIdentity, secrets: Secrets) {
  const now = new Date();
  const id = newId();
  const key = { organizationId: owner.organizationId, connectionId: id };
  return {
    id,
    organization_id: owner.organizationId,
    created_by_id: owner.userId,
    created_at: now,
    updated_at: now,
    ext_instance_url: org.instanceUrl,
    api_version: org.apiVersion,
    source_org_id: org.orgId,
    source_org_name: org.orgName,
    source_user_id: org.userId,
    source_username: org.username,
    login_url: secrets.loginUrl,
    access_token_enc: sealToken(key, "access_token_enc", secrets.accessToken),
    refresh_token_enc: secrets.refreshToken ? sealToken(key, "refresh_token_enc", secrets.refreshToken) : null,
  };
}

/**
 * Stores a new connection and records it in the audit log. Throws `unauthenticated` when the organization has been
 * deleted meanwhile, and `conflict` when it has as many connections as it can have.
 */
export async function storeConnection(
  client: PoolClient,
  context: Audited,
  row: ReturnType<typeof connectionRow>,
): Promise<void> {
  await assertNotDeleted(client, context.organizationId);
  await assertBelowLimit(context.organizationId);
  await prisma().connections.create({ data: row });
  const org = {
    id: row.id,
    instanceUrl: row.ext_instance_url,
    orgName: row.source_org_name,
    username: row.source_username,
  };
  const details = {
    ...auditDetails(org),
    connected_with: row.login_url === null ? "access_token" : "salesforce_sign_in",
  };
  await recordAudit(client, context, "org.connected", { clientId: context.clientId, details });
}

/**
 * The deletion waits for this lock, and then finds the connection, so that its erasure revokes the access. Two requests
 * at once count one after the other.
 */
const LOCK_ORGANIZATION = "SELECT FROM organizations WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE";

async function assertNotDeleted(client: PoolClient, organizationId: string): Promise<void> {
  if ((await client.query(LOCK_ORGANIZATION, [organizationId])).rowCount === 0)
    throw new AppError("unauthenticated", "The organization has been deleted meanwhile, so nothing was connected.");
}

/** Those that have access. The hourly purge compares each with all others, and an erasure revokes one by one. */
const MAX_CONNECTIONS = 500;

async function assertBelowLimit(organizationId: string): Promise<void> {
  const withAccess = { organization_id: organizationId, access_token_enc: { not: null } };
  if ((await prisma().connections.count({ where: withAccess })) < MAX_CONNECTIONS) return;
  throw new AppError(
    "conflict",
    `An organization has at most ${MAX_CONNECTIONS} connections to Salesforce orgs. Disconnect an org that is no ` +
      "longer needed, then connect this one.",
  );
}

type Audited = Pick<Context, "organizationId" | "userId" | "clientId" | "address">;

/** What the audit log records of a connection. */
export function auditDetails(org: {
  id: string;
  instanceUrl: string;
  orgName: string | null;
  username: string | null;
}) {
  return { connection_id: org.id, host: new URL(org.instanceUrl).host, org_name: org.orgName, username: org.username };
}
