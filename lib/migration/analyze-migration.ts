import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { lockOrganization, prisma, transaction } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { connectByToken, type Connected, reconnect } from "@/lib/migration/connections/connect";
import { storeConnection } from "@/lib/migration/connections/stored-connection";
import { supersedeConnections } from "@/lib/migration/connections/supersede-connections";
import { enqueueAnalysis } from "@/lib/migration/enqueue-jobs";
import { orgDisconnected } from "@/lib/migration/failure";
import { findMigration } from "@/lib/migration/find-migration";
import { analyzeInput, migration } from "@/lib/migration/migration-schema";
import { defineOperation } from "@/lib/operation";

/** The org is tried before anything is stored: a refusal leaves nothing behind. The analysis itself is a job. */
export const analyzeMigration = defineOperation({
  name: "analyze_migration",
  summary: "Connect a Salesforce org and analyze it. Nothing is changed in Salesforce, and no record is imported.",
  scopes: ["crm:write"],
  stores: true,
  input: analyzeInput,
  output: migration,
  async run(context, { connection_id, ext_instance_url = "", ext_access_token = "" }) {
    const connected = connection_id
      ? await reconnect(context, connection_id)
      : await connectByToken(context, { ext_instance_url, ext_access_token });
    const id = await store(context, connected);
    return findMigration(context.organizationId, id);
  },
});

/**
 * Each is a row, a job and, in the end, a report. What an analysis that nothing carries out any more has left behind
 * does not count for ever.
 */
const MAX_ANALYSES = 20;

async function assertBelowLimit(client: PoolClient, organizationId: string): Promise<void> {
  await lockOrganization(client, organizationId);
  const yesterday = new Date(Date.now() - 24 * 3_600_000);
  const analyses = { organization_id: organizationId, status: "analyzing", created_at: { gt: yesterday } } as const;
  if ((await prisma().migrations.count({ where: analyses })) < MAX_ANALYSES) return;
  const detail =
    `${MAX_ANALYSES} analyses of this organization are under way, one after the other. Wait until one of them has ` +
    "ended, then ask for this one.";
  throw new AppError("too_many_requests", detail, { retryAfter: 30 });
}

/** Whoever ends connections that nothing needs waits for this one to be needed, or is waited for. */
const LOCK_CONNECTION =
  "SELECT FROM connections WHERE organization_id = $1 AND id = $2 AND access_token_enc IS NOT NULL FOR KEY SHARE";

async function store(context: Context, { row, id: connection_id }: Connected): Promise<string> {
  const id = newId();
  const { organizationId, userId } = context;
  await transaction(async (client) => {
    await assertBelowLimit(client, organizationId);
    if (row) await storeConnection(client, context, row);
    else if ((await client.query(LOCK_CONNECTION, [organizationId, connection_id])).rowCount === 0)
      throw orgDisconnected();
    const now = new Date();
    const owned = { organization_id: organizationId, id, created_by_id: userId, created_at: now, updated_at: now };
    await prisma().migrations.create({ data: { ...owned, connection_id, status: "analyzing" } });
  });
  try {
    await enqueueAnalysis({ organizationId, migrationId: id });
  } catch (error) {
    await prisma().migrations.delete({
      where: { organization_id_id: { organization_id: context.organizationId, id } },
    });
    if (row)
      await prisma().connections.delete({
        where: { organization_id_id: { organization_id: context.organizationId, id: row.id } },
      });
    throw error;
  }
  // The migration stands, and its job is asked for: what is left is for the sweep, should it fail here.
  await supersedeConnections(organizationId, connection_id).catch((error: unknown) => {
    log.warn({ migration_id: id, err: error }, "earlier connections to this org were not superseded");
  });
  return id;
}
