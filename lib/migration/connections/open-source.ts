import { prisma } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { renewAccess } from "@/lib/migration/connections/renew-access";
import { openToken } from "@/lib/migration/connections/stored-connection";
import { migrationNotFound } from "@/lib/migration/migration-key";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { type ClientOptions, openClient, type SalesforceClient } from "@/lib/salesforce/client";

/** Jobs have more time than a person who waits for an answer, and more memory. */
type ClientLimits = Pick<ClientOptions, "retry" | "timeoutMs" | "deadline" | "allowance">;

/**
 * Opens a client on a connection. An access token that Salesforce refuses is renewed if the connection has a refresh
 * token. Throws `not_found`.
 */
export async function openConnection(
  organizationId: string,
  connectionId: string,
  limits: ClientLimits = {},
): Promise<SalesforceClient> {
  const connection = isId(connectionId)
    ? await prisma().connections.findFirst({ where: { id: connectionId, organization_id: organizationId } })
    : null;
  if (!connection) throw new AppError("not_found", "There is no connection with this id.");
  const key = { organizationId, connectionId: connection.id };
  return openClient({
    ...limits,
    instanceUrl: connection.ext_instance_url,
    accessToken: openToken(key, "access_token_enc", connection.access_token_enc),
    apiVersion: connection.api_version ?? "67.0",
    // The client may be used later, in another scope.
    onUnauthorized: (refused) => inOrganization(organizationId, () => renewAccess(key, refused)),
  });
}

/** Opens a client on the org of a migration. Throws `not_found`. */
export async function openMigrationSource(
  { organizationId, migrationId }: MigrationKey,
  limits: ClientLimits = {},
): Promise<SalesforceClient> {
  const migration = await prisma().migrations.findFirst({
    where: { organization_id: organizationId, id: migrationId },
    select: { connection_id: true },
  });
  if (!migration) throw migrationNotFound();
  return openConnection(organizationId, migration.connection_id, limits);
}
