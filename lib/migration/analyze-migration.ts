import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { lockOrganization, pool, prisma } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { connectByToken, type Connected, reconnect } from "@/lib/migration/connections/connect";
import { storeConnection } from "@/lib/migration/connections/stored-connection";
import { trySupersede } from "@/lib/migration/connections/supersede-connections";
import { changeMigration } from "@/lib/migration/change-migration";
import { enqueueAnalysis, MAX_AGE } from "@/lib/migration/enqueue-jobs";
import { failAnalysis, orgDisconnected } from "@/lib/migration/failure";
import { analyzeInput } from "@/lib/migration/connections/connection-schema";
import { migration, type Migration } from "@/lib/migration/migration-schema";
import { defineOperation } from "@/lib/operation";

/**
 * Tests the connection to the org before it stores anything, so a refusal leaves nothing behind. A job runs the
 * analysis.
 */
export const analyzeMigration = defineOperation({
  name: "analyze_migration",
  summary: "Connect a Salesforce org and analyze it. Nothing is changed in Salesforce, and no record is imported.",
  scopes: ["crm:write"],
  stores: true,
  status: 202,
  input: analyzeInput,
  output: migration,
  async run(context, { connection_id, ext_instance_url = "", ext_access_token = "" }) {
    const connected = connection_id
      ? await reconnect(context, connection_id)
      : await connectByToken(context, { ext_instance_url, ext_access_token });
    const stored = await store(context, connected);
    await trySupersede(context.organizationId, connected.id);
    return stored;
  },
});

/**
 * Analyses that one organization can have under way. Each takes a row, a job and later a report. One whose job was lost
 * counts until {@link failLostAnalyses} ends it: its job is asked for anew, and runs.
 */
const MAX_ANALYSES = 20;

async function assertBelowLimit(client: PoolClient, organizationId: string): Promise<void> {
  await lockOrganization(client, organizationId);
  const analyses = { organization_id: organizationId, status: "analyzing" } as const;
  if ((await prisma().migrations.count({ where: analyses })) < MAX_ANALYSES) return;
  const detail =
    `${MAX_ANALYSES} analyses of this organization are under way, one after the other. Wait until one of them has ` +
    "ended, then request this one again.";
  throw new AppError("too_many_requests", detail, { retryAfter: 30 });
}

/** The sweep of unused connections waits for this lock, or this statement waits for the sweep. */
const LOCK_CONNECTION =
  "SELECT FROM connections WHERE organization_id = $1 AND id = $2 AND access_token_enc IS NOT NULL FOR KEY SHARE";

function store(context: Context, { row, id: connection_id }: Connected): Promise<Migration> {
  const id = newId();
  const { organizationId, userId } = context;
  return changeMigration(context, id, async (client, key) => {
    await assertBelowLimit(client, organizationId);
    if (row) await storeConnection(client, context, row);
    else if ((await client.query(LOCK_CONNECTION, [organizationId, connection_id])).rowCount === 0)
      throw orgDisconnected();
    const now = new Date();
    const owned = { organization_id: organizationId, id, created_by_id: userId, created_at: now, updated_at: now };
    await prisma().migrations.create({ data: { ...owned, connection_id, status: "analyzing" } });
    await enqueueAnalysis(client, key);
  });
}

/** Each is ended in its own transaction. What is left is ended by the next sweep. */
const MAX_PER_SWEEP = 500;

interface LostAnalysis {
  organization_id: string;
  id: string;
  /** Whether its job was asked for anew already. */
  resumed: boolean;
}

/** Those whose job is no longer asked for. One whose request waits for the Inngest server to take it is not lost. */
const LOST = `SELECT organization_id, id, resumed_at IS NOT NULL AS resumed FROM migrations m
  WHERE status = 'analyzing' AND coalesce(resumed_at, created_at) <= now() - interval '${MAX_AGE}'
    AND NOT EXISTS (SELECT FROM job_requests r WHERE r.migration_id = m.id)
  ORDER BY id LIMIT ${MAX_PER_SWEEP}`;

/** From now on, `enqueue-jobs.ts` asks for its job by other ids. */
const RESUME = `UPDATE migrations SET resumed_at = now()
  WHERE organization_id = $1 AND id = $2 AND status = 'analyzing'`;

const JOB_LOST = "The job of the analysis was lost. It was asked for again, and has not ended either.";

/**
 * Ends the analyses whose job is lost, so that nobody waits for them. The job of each is asked for anew first:
 * service or job engine may have been stopped for a day, and go on with it now. Returns how many are lost.
 */
export async function failLostAnalyses(): Promise<number> {
  const { rows } = await acrossOrganizations(() => pool().query<LostAnalysis>(LOST));
  for (const { organization_id: organizationId, id: migrationId, resumed } of rows)
    await inOrganization(organizationId, async () => {
      if (resumed) await failAnalysis({ organizationId, migrationId }, new AppError("service_unavailable", JOB_LOST));
      else await pool().query(RESUME, [organizationId, migrationId]);
    });
  return rows.length;
}
