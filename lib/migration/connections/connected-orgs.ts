import { z } from "zod";

import type { Context } from "@/lib/context";
import { pool, retriedTransaction } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { AppError } from "@/lib/errors";
import { isId, MAX_UUID } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { disconnection, type Connection, connection } from "@/lib/migration/connections/connection-schema";
import {
  connectionsOfSameSource,
  type EndedConnection,
  endConnections,
  revokeAccess,
} from "@/lib/migration/connections/end-connections";
import { auditDetails } from "@/lib/migration/connections/stored-connection";
import { orgDisconnected, describeFailure, failAnalysis, isTransient } from "@/lib/migration/failure";
import { failRun } from "@/lib/migration/pipeline/finish-run";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";

export const disconnectOrg = defineOperation({
  name: "disconnect_org",
  summary:
    "Disconnect a Salesforce org: the stored access is deleted, and revoked at Salesforce where Salesforce allows " +
    "it. Analyses and runs that use it stop. Migrations, reports and imported records stay; to run again, connect " +
    "the org again as the same Salesforce user.",
  scopes: ["crm:write"],
  input: z.strictObject({ connection_id: pathId("connection") }),
  output: disconnection,
  async run(context, { connection_id }) {
    const ended = isId(connection_id) ? await endAccess(context, connection_id) : [];
    const requested = ended.find(({ id }) => id === connection_id);
    if (!requested) throw new AppError("not_found", "No Salesforce org is connected under this id.");
    let migrations_stopped: number;
    let fault: string | null;
    try {
      migrations_stopped = await stopMigrations(
        context.organizationId,
        ended.map(({ id }) => id),
      );
    } finally {
      // Also where that fails: a repeat would no longer find the tokens.
      fault = await revokeAccess(ended);
    }
    const { instanceUrl: ext_instance_url, orgName: org_name } = requested;
    return {
      connection_id,
      ext_instance_url,
      org_name,
      migrations_stopped,
      revoked: fault === null,
      not_revoked_because: fault,
    };
  },
});

/**
 * Deletes the access to the org as this Salesforce user in all connections: a token of an earlier one opens the org
 * just as well.
 */
function endAccess(
  { organizationId, userId, clientId, address }: Context,
  connectionId: string,
): Promise<EndedConnection[]> {
  return retriedTransaction(async (client) => {
    const ids = [connectionId, ...(await connectionsOfSameSource(client, organizationId, connectionId))];
    const ended = await endConnections(client, organizationId, ids);
    const requested = ended.find(({ id }) => id === connectionId);
    if (!requested) return [];
    await recordAudit(client, { organizationId, userId, address }, "org.disconnected", {
      clientId,
      details: auditDetails(requested),
    });
    return ended;
  });
}

interface UnfinishedMigration {
  id: string;
  status: "analyzing" | "running";
  run_number: number;
}

/** The jobs would end by themselves, since they find no access. Those with a token in memory end at their next page. */
async function stopMigrations(organizationId: string, connectionIds: readonly string[]): Promise<number> {
  const { rows } = await pool().query<UnfinishedMigration>(
    `SELECT id, status, run_number FROM migrations
     WHERE organization_id = $1 AND connection_id = ANY ($2) AND status IN ('analyzing', 'running')`,
    [organizationId, connectionIds],
  );
  let stopped = 0;
  for (const { id: migrationId, status, run_number: runNumber } of rows) {
    const stopping =
      status === "analyzing"
        ? failAnalysis({ organizationId, migrationId }, orgDisconnected())
        : failRun({ organizationId, migrationId, runNumber }, describeFailure(orgDisconnected(), "migration"));
    if (await stopping.then(() => true, isNotStopped)) stopped += 1;
  }
  return stopped;
}

/** The run may have ended meanwhile; one that a page holds locked for too long ends by itself. */
function isNotStopped(error: unknown): false {
  if (!(error instanceof AppError || isTransient(error))) throw error;
  return false;
}

const PAGE = `
  SELECT id AS connection_id, ${isoText("created_at")} AS created_at, created_by_id, ext_instance_url,
    source_org_name AS org_name, source_username AS username, refresh_token_enc IS NOT NULL AS renewable,
    (SELECT count(*)::int FROM migrations m
      WHERE m.organization_id = $1 AND m.connection_id = c.id AND m.status IN ('analyzing', 'running')
    ) AS migrations_under_way
  FROM connections c
  WHERE organization_id = $1 AND access_token_enc IS NOT NULL AND id < $2
  ORDER BY id DESC LIMIT $3`;

export const listConnections = defineOperation({
  name: "list_connections",
  summary: "List the Salesforce orgs that are connected, newest first. Disconnected ones are not listed.",
  scopes: ["crm:read"],
  input: z.strictObject(pageInput),
  output: pageOutput(connection),
  async run({ organizationId }, { limit, cursor }) {
    const { rows } = await pool().query<Connection>(PAGE, [organizationId, cursor ?? MAX_UUID, limit + 1]);
    return cutPage(rows, limit, ({ connection_id }) => connection_id);
  },
});
