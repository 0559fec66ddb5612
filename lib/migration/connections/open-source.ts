import type { PoolClient } from "pg";

import { prisma, transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { tryToRevoke } from "@/lib/migration/connections/end-connections";
import { type ConnectionKey, openToken, sealToken } from "@/lib/migration/connections/stored-connection";
import { orgDisconnected } from "@/lib/migration/failure";
import { migrationNotFound } from "@/lib/migration/migration-key";
import { type Access, type ClientOptions, openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { canBeSameOrg } from "@/lib/salesforce/instance-url";
import { refreshTokens, type OAuthApp, type Tokens } from "@/lib/salesforce/oauth";
import { isTokenRefused } from "@/lib/salesforce/refusals";

/** Jobs have more time than a person who waits for an answer. */
type ClientTimeouts = Pick<ClientOptions, "retry" | "timeoutMs" | "deadline">;

function connectionNotFound(): AppError {
  return new AppError("not_found", "There is no connection with this id.");
}

/**
 * Opens a client on a connection. An access token that Salesforce refuses is renewed if the connection has a refresh
 * token. Throws `not_found`.
 */
export async function openConnection(
  organizationId: string,
  connectionId: string,
  timeouts: ClientTimeouts = {},
): Promise<SalesforceClient> {
  const connection = isId(connectionId)
    ? await prisma().connections.findFirst({ where: { id: connectionId, organization_id: organizationId } })
    : null;
  if (!connection) throw connectionNotFound();
  return openClient({
    ...timeouts,
    instanceUrl: connection.ext_instance_url,
    accessToken: openToken(
      { organizationId, connectionId: connection.id },
      "access_token_enc",
      connection.access_token_enc,
    ),
    apiVersion: connection.api_version ?? "67.0",
    // The client may be used later, in another scope.
    onUnauthorized: (refused) => inOrganization(organizationId, () => renew(organizationId, connectionId, refused)),
  });
}

/** $1: the connection. A lock of its row would give the transaction a number, for whose end the events feed waits. */
const LOCK_RENEWAL = "SELECT pg_advisory_xact_lock(hashtextextended('renew ' || $1, 0))";

/**
 * Exchanges the refresh token for a new access token, and takes over the address that Salesforce gives with it, unless
 * that cannot be the same org. Null without a refresh token. One of several processes renews, and the others use its
 * token: with rotation enabled, a refresh token works once. Nothing is written before Salesforce has answered.
 */
async function renew(organizationId: string, connectionId: string, refused: string): Promise<Access | null> {
  const key = { organizationId, connectionId };
  return transaction(async (client) => {
    await client.query(LOCK_RENEWAL, [connectionId]);
    const stored = await readStored(client, key);
    const renewed = renewedAccess(key, stored, refused);
    if (renewed) return renewed;
    const { login_url: loginUrl, refresh_token_enc: sealed } = stored;
    if (!loginUrl || !sealed) return null;
    try {
      const tokens = await refreshTokens(loginUrl, salesforceApp(), openToken(key, "refresh_token_enc", sealed));
      return await storeTokens(key, stored, tokens);
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
      // Releases before this one lock the row while they renew: then this waits for the token that they have got.
      const meanwhile = renewedAccess(key, await readStored(client, key, "FOR KEY SHARE"), refused);
      if (!meanwhile) throw error;
      return meanwhile;
    }
  });
}

interface StoredAccess {
  ext_instance_url: string;
  login_url: string | null;
  access_token_enc: Buffer | null;
  refresh_token_enc: Buffer<ArrayBuffer> | null;
}

async function readStored(client: PoolClient, key: ConnectionKey, lock = ""): Promise<StoredAccess> {
  const { rows } = await client.query<StoredAccess>(
    `SELECT ext_instance_url, login_url, access_token_enc, refresh_token_enc FROM connections
     WHERE organization_id = $1 AND id = $2 ${lock}`,
    [key.organizationId, key.connectionId],
  );
  if (!rows[0]) throw connectionNotFound();
  return rows[0];
}

/** The stored access, unless it is the refused one. */
function renewedAccess(key: ConnectionKey, stored: StoredAccess, refused: string): Access | null {
  const accessToken = openToken(key, "access_token_enc", stored.access_token_enc);
  return accessToken === refused ? null : { instanceUrl: stored.ext_instance_url, accessToken };
}

async function storeTokens(key: ConnectionKey, stored: StoredAccess, tokens: Tokens): Promise<Access> {
  const rotated = tokens.refresh_token
    ? sealToken(key, "refresh_token_enc", tokens.refresh_token)
    : stored.refresh_token_enc;
  const named = new URL(tokens.instance_url).origin;
  const instanceUrl = canBeSameOrg(stored.ext_instance_url, named) ? named : stored.ext_instance_url;
  const { count } = await prisma().connections.updateMany({
    where: { organization_id: key.organizationId, id: key.connectionId, access_token_enc: { not: null } },
    data: {
      ext_instance_url: instanceUrl,
      access_token_enc: sealToken(key, "access_token_enc", tokens.access_token),
      refresh_token_enc: rotated,
      updated_at: new Date(),
    },
  });
  if (count > 0) return { instanceUrl, accessToken: tokens.access_token };
  // The org was disconnected meanwhile, and nobody else knows these tokens.
  if (stored.login_url) await tryToRevoke(stored.login_url, tokens.refresh_token ?? tokens.access_token);
  throw orgDisconnected();
}

/** Opens a client on the org of a migration. Throws `not_found`. */
export async function openMigrationSource(
  organizationId: string,
  migrationId: string,
  timeouts: ClientTimeouts = {},
): Promise<SalesforceClient> {
  const migration = await prisma().migrations.findFirst({
    where: { organization_id: organizationId, id: migrationId },
    select: { connection_id: true },
  });
  if (!migration) throw migrationNotFound();
  return openConnection(organizationId, migration.connection_id, timeouts);
}

/** Where Salesforce redirects the browser; must be entered in the Salesforce app. */
const CALLBACK_PATH = "/migration/callback";

/** This service as a client of Salesforce. Throws `source_sign_in_not_set_up`, with the remedy, if it is not set up. */
export function salesforceApp(): OAuthApp {
  const { SALESFORCE_CLIENT_ID: clientId, SALESFORCE_CLIENT_SECRET: clientSecret, APP_URL } = env;
  const redirectUri = `${APP_URL}${CALLBACK_PATH}`;
  if (clientId && clientSecret) return { clientId, clientSecret, redirectUri };
  throw new SalesforceError(
    "source_sign_in_not_set_up",
    "Salesforce does not know this service yet. Connect with an access token instead. For whoever runs this " +
      `service: create an External Client App in Salesforce with the callback address ${redirectUri}, and set ` +
      "SALESFORCE_CLIENT_ID and SALESFORCE_CLIENT_SECRET.",
  );
}
