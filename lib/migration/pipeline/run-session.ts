import { pool, prisma } from "@/lib/database/db";
import {
  type Configuration,
  configuration as configurationSchema,
} from "@/lib/migration/configuration/configuration-schema";
import type { People } from "@/lib/migration/objects/declaration";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { type Plan, planObject } from "@/lib/migration/pipeline/map/plan";
import type { RunKey } from "@/lib/migration/pipeline/progress";
import { readPeople } from "@/lib/migration/pipeline/read/people";
import { fixWindow, type Window } from "@/lib/migration/pipeline/read/window";
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

/**
 * Runs of different organizations take turns in a worker; a session holds the names of the source's users, so few are
 * kept.
 */
const MAX_SESSIONS = 8;

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
  if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  return session;
}

/** Forgets the session of a run that ended, or whose source has to be opened anew. */
export function closeSession(run: RunKey): void {
  sessions.delete(keyOf(run));
}

async function openSession(run: RunKey, openSource: OpenSource): Promise<RunSession> {
  const migration = await prisma().migrations.findFirst({
    where: { organization_id: run.organizationId, id: run.migrationId },
    select: { connection_id: true, configuration: true },
  });
  if (!migration) throw new Error("The migration of this run is gone.");
  const client = await openSource(run.organizationId, migration.connection_id);
  const configuration = configurationSchema.parse(migration.configuration ?? {});
  const window = await fixWindow(client, pool(), run);
  return {
    run,
    client,
    window,
    configuration,
    people: await readPeople(client, pool(), run.organizationId),
    plans: new Map(),
  };
}

/** How an object is read and mapped in this run; described once. */
export function planOf(session: RunSession, object: MigratedObjectName): Promise<Plan> {
  const planned = session.plans.get(object);
  if (planned) return planned;
  const plan = describeObject(session.client, object).then(({ fields }) =>
    planObject(object, fields, session.configuration.objects[object]),
  );
  session.plans.set(object, plan);
  return plan;
}

/**
 * Lets PostgreSQL look at the table that an import is filling. It does so by itself about once a minute; until then it
 * would plan foreign key checks for the empty table that it remembers, and walk through all records of the organization
 * for each of them.
 */
export async function refreshStatistics(plan: Plan): Promise<void> {
  await pool().query("SELECT refresh_statistics($1)", [plan.main.shape.resource]);
  if (plan.alternative) await pool().query("SELECT refresh_statistics($1)", [plan.alternative.shape.resource]);
}
