import { pool } from "@/lib/db";
import type { People } from "@/lib/migration/objects/declaration";
import { readPeople } from "@/lib/migration/pipeline/people";
import { type Plan, planObject } from "@/lib/migration/pipeline/plan";
import type { RunKey } from "@/lib/migration/pipeline/run-key";
import { fixWindow, type Window } from "@/lib/migration/pipeline/window";
import { type Configuration, configuration as configurationSchema, type MigratedObjectName } from "@/lib/migration/schemas";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { describeObject } from "@/lib/salesforce/describe";

/** What every page of a run needs, read once per run and process: it would be the same each time. */
export interface RunSession {
  run: RunKey;
  client: SalesforceClient;
  people: People;
  window: Window;
  configuration: Configuration;
  plans: Map<MigratedObjectName, Promise<Plan>>;
}

/** Opens the source that a migration reads. */
export type OpenSource = (organizationId: string, connectionId: string) => Promise<SalesforceClient>;

/** Runs of different organizations take turns in a worker; a session holds the names of the source's users, so few are kept. */
const MOST_SESSIONS = 8;

const sessions = new Map<string, Promise<RunSession>>();

function keyOf(run: RunKey): string {
  return `${run.organizationId}/${run.migrationId}/${run.runNumber}`;
}

/** The session of a run, opened at its first slice in this process. */
export function sessionOf(run: RunKey, openSource: OpenSource): Promise<RunSession> {
  const key = keyOf(run);
  const session = sessions.get(key) ?? openSession(run, openSource);
  // Setting it anew makes it the youngest: a Map keeps the order of insertion.
  sessions.delete(key);
  sessions.set(key, session);
  const [oldest] = sessions.keys();
  if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  return session;
}

/** Forgets the session of a run that ended, or whose source has to be opened anew. */
export function closeSession(run: RunKey): void {
  sessions.delete(keyOf(run));
}

async function openSession(run: RunKey, openSource: OpenSource): Promise<RunSession> {
  const found = await pool().query<{ connection_id: string; configuration: unknown }>(
    `SELECT connection_id, configuration FROM migrations WHERE organization_id = $1 AND id = $2`,
    [run.organizationId, run.migrationId],
  );
  const migration = found.rows[0];
  if (!migration) throw new Error("The migration of this run is gone.");
  const client = await openSource(run.organizationId, migration.connection_id);
  const configuration = configurationSchema.parse(migration.configuration ?? {});
  const window = await fixWindow(client, pool(), run);
  return { run, client, window, configuration, people: await readPeople(client, pool(), run.organizationId), plans: new Map() };
}

/** How an object is read and mapped in this run; described once. */
export function planOf(session: RunSession, object: MigratedObjectName): Promise<Plan> {
  const planned = session.plans.get(object);
  if (planned) return planned;
  const plan = describeObject(session.client, object).then(({ fields }) => planObject(object, fields, session.configuration.objects[object]));
  session.plans.set(object, plan);
  return plan;
}
