import { z } from "zod";

import { recordAudit } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/id-input";
import { isId } from "@/lib/ids";
import { disconnection } from "@/lib/migration/connection-schema";
import { orgInAudit } from "@/lib/migration/connections";
import { connectionsOfSameSource, type EndedConnection, endConnections, revokeAccess } from "@/lib/migration/end-connections";
import { disconnected, failureOf } from "@/lib/migration/failure";
import { failAnalysis } from "@/lib/migration/fail-analysis";
import { failRun } from "@/lib/migration/pipeline/finish-run";
import { defineOperation } from "@/lib/operation";
import { retriedTransaction } from "@/lib/retried-transaction";

export const disconnectOrg = defineOperation({
  name: "disconnect_org",
  summary:
    "Disconnect a Salesforce org: the stored access is deleted, and revoked at Salesforce where Salesforce lets it. What is being analyzed or run over it " +
    "stops. Migrations, reports and imported records stay; to run again, connect the org again as the same Salesforce user.",
  scopes: ["crm:write"],
  input: z.strictObject({ connection_id: pathId("connection") }),
  output: disconnection,
  async run(context, { connection_id }) {
    const ended = isId(connection_id) ? await end(context, connection_id) : [];
    const asked = ended.find(({ id }) => id === connection_id);
    if (!asked) throw new AppError("not_found", "No Salesforce org is connected under this id.");
    // The jobs find no access any more and would end by themselves; those that still hold a token in memory end with the next page.
    const migrations_stopped = await stopMigrations(
      context.organizationId,
      ended.map(({ id }) => id),
    );
    const fault = await revokeAccess(ended);
    const { instanceUrl: ext_instance_url, orgName: org_name } = asked;
    return { connection_id, ext_instance_url, org_name, migrations_stopped, revoked: fault === null, not_revoked_because: fault };
  },
});

/** Deletes the access to the org as this Salesforce user, whichever connections hold it: a token of an earlier one would open the org just as well. */
function end({ organizationId, userId, clientId, address }: Context, connectionId: string): Promise<EndedConnection[]> {
  return retriedTransaction(async (client) => {
    const ids = [connectionId, ...(await connectionsOfSameSource(client, organizationId, connectionId))];
    const ended = await endConnections(client, organizationId, ids);
    const asked = ended.find(({ id }) => id === connectionId);
    if (!asked) return [];
    await recordAudit(client, { organizationId, action: "org.disconnected", address, userId, clientId, details: orgInAudit(asked) });
    return ended;
  });
}

interface UnderWay {
  id: string;
  status: "analyzing" | "running";
  run_number: number;
}

async function stopMigrations(organizationId: string, connectionIds: readonly string[]): Promise<number> {
  const { rows } = await pool().query<UnderWay>(
    `SELECT id, status, run_number FROM migrations
     WHERE organization_id = $1 AND connection_id = ANY ($2) AND status IN ('analyzing', 'running')`,
    [organizationId, connectionIds],
  );
  for (const { id: migrationId, status, run_number: runNumber } of rows) {
    if (status === "analyzing") await failAnalysis({ organizationId, migrationId }, disconnected());
    else await failRun({ organizationId, migrationId, runNumber }, failureOf(disconnected(), "migration")).catch(unlessEnded);
  }
  return rows.length;
}

/** It may have come to its end meanwhile. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}
