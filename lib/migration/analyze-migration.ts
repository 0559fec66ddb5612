import type { Context } from "@/lib/context";
import { pool, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { requestJob } from "@/lib/jobs";
import { connectByToken, type Connected, reconnect } from "@/lib/migration/connect";
import { findMigration } from "@/lib/migration/migration-view";
import { analyzeInput, migration } from "@/lib/migration/schemas";
import { defineOperation } from "@/lib/operation";

/** The org is tried before anything is stored: a refusal leaves nothing behind. The analysis itself is a job. */
export const analyzeMigration = defineOperation({
  name: "analyze_migration",
  summary: "Connect a Salesforce org and analyze it. Nothing is changed in Salesforce, and no record is imported.",
  scopes: ["crm:write"],
  input: analyzeInput,
  output: migration,
  async run(context, { connection_id, instance_url = "", access_token = "" }) {
    const connected = connection_id ? await reconnect(context, connection_id) : await connectByToken(context, { instance_url, access_token });
    const id = await store(context, connected);
    return findMigration(context.organizationId, id);
  },
});

async function store(context: Context, { row, id: connection_id }: Connected): Promise<string> {
  const id = newId();
  const owned = { organization_id: context.organizationId, created_by_id: context.userId };
  const times = { created_at: new Date(), updated_at: new Date() };
  await prisma().$transaction(async (tx) => {
    if (row) await tx.connections.create({ data: row });
    await tx.migrations.create({ data: { ...owned, ...times, id, connection_id, state: "analyzing" } });
  });
  try {
    await requestJob("migration/analyze.requested", { organization_id: context.organizationId, migration_id: id }, `analyze-${id}`);
  } catch (error) {
    await prisma().migrations.delete({ where: { organization_id_id: { organization_id: context.organizationId, id } } });
    if (row) await prisma().connections.delete({ where: { organization_id_id: { organization_id: context.organizationId, id: row.id } } });
    throw error;
  }
  await lendToEarlierMigrations(context.organizationId, connection_id);
  return id;
}

/**
 * Earlier migrations of the same org and user go on with the new tokens and address, so that one whose token had died can be run again. Those of
 * another user keep their own: their reports say what that user sees.
 */
async function lendToEarlierMigrations(organizationId: string, connectionId: string): Promise<void> {
  await pool().query(
    `UPDATE migrations m SET connection_id = latest.id FROM connections earlier, connections latest
     WHERE m.organization_id = $1 AND m.state NOT IN ('analyzing', 'running', 'undoing')
       AND earlier.organization_id = $1 AND earlier.id = m.connection_id AND latest.organization_id = $1 AND latest.id = $2
       AND earlier.id <> latest.id AND earlier.source_org_id = latest.source_org_id 
       AND coalesce(earlier.source_user_id = latest.source_user_id, earlier.source_username = latest.source_username)`,
    [organizationId, connectionId],
  );
}
