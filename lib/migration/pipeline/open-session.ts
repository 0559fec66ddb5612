import { pool, prisma } from "@/lib/database/db";
import { recordWorker } from "@/lib/migration/history/record-worker";
import { openBudget } from "@/lib/migration/pipeline/api-budget";
import { parseConfiguration } from "@/lib/migration/migration-contents";
import type { RunKey } from "@/lib/migration/migration-schema";
import { readPeople } from "@/lib/migration/pipeline/read/people";
import { fixWindow } from "@/lib/migration/pipeline/read/window";
import { nothingLearned, type RunSession } from "@/lib/migration/pipeline/run-session";
import type { SalesforceClient } from "@/lib/salesforce/client";

/** Opens a client on a connection. */
export type OpenConnection = (organizationId: string, connectionId: string) => Promise<SalesforceClient>;

/**
 * Runs of different organizations take turns in a worker. Few sessions are kept, because each has the names of all
 * users of its source.
 */
const MAX_SESSIONS = 8;

interface OpenSession {
  connectionId: string;
  session: Promise<RunSession>;
}

const sessions = new Map<string, OpenSession>();

function keyOf(run: RunKey): string {
  return `${run.organizationId}/${run.migrationId}/${run.runNumber}`;
}

/**
 * The session of a run, opened by its first slice in this process, and again where the org was connected anew since:
 * the run may have paused in another process, and the access of a session from before is deleted.
 */
export async function sessionOf(run: RunKey, openConnection: OpenConnection): Promise<RunSession> {
  const key = keyOf(run);
  const connectionId = await connectionOf(run);
  const known = sessions.get(key);
  const open =
    known?.connectionId === connectionId
      ? known
      : { connectionId, session: openSession(run, connectionId, openConnection) };
  // Makes it the most recent session: a Map keeps the order of insertion.
  sessions.delete(key);
  sessions.set(key, open);
  const [oldest] = sessions.keys();
  if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  return open.session;
}

async function connectionOf({ organizationId, migrationId }: RunKey): Promise<string> {
  const { rows } = await pool().query<{ connection_id: string }>(
    "SELECT connection_id FROM migrations WHERE organization_id = $1 AND id = $2",
    [organizationId, migrationId],
  );
  if (!rows[0]) throw new Error("The migration of this run does not exist.");
  return rows[0].connection_id;
}

/**
 * Deletes the session of a run that has ended, or whose source must be opened again. Returns the id of its connection;
 * null without a session.
 */
export function closeSession(run: RunKey): string | null {
  const connectionId = sessions.get(keyOf(run))?.connectionId ?? null;
  sessions.delete(keyOf(run));
  return connectionId;
}

async function openSession(run: RunKey, connectionId: string, openConnection: OpenConnection): Promise<RunSession> {
  const migration = await prisma().migrations.findFirst({
    where: { organization_id: run.organizationId, id: run.migrationId },
    select: { configuration: true, run_kind: true },
  });
  if (!migration) throw new Error("The migration of this run does not exist.");
  await recordWorker(run);
  const client = await openConnection(run.organizationId, connectionId);
  const configuration = parseConfiguration(migration.configuration);
  const api = await openBudget(run, client, configuration.api_limit);
  const window = await fixWindow(client, pool(), run);
  return {
    run,
    kind: migration.run_kind,
    api,
    client,
    window,
    configuration,
    people: await readPeople(client, pool(), run.organizationId, configuration.owners),
    ...nothingLearned(),
  };
}
