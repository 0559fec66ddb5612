import { pool, prisma } from "@/lib/database/db";
import {
  type Configuration,
  configuration as configurationSchema,
} from "@/lib/migration/configuration/configuration-schema";
import { recordWorker } from "@/lib/migration/history/record-worker";
import type { Migration } from "@/lib/migration/migration-schema";
import type { People } from "@/lib/migration/objects/declaration";
import { customFieldsOfTask, taskFieldsToKeep } from "@/lib/migration/objects/email-task";
import { ATTACHMENTS } from "@/lib/migration/objects/entry-files";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { CUSTOM_FIELDS_OF_LINES } from "@/lib/migration/objects/opportunity";
import { PRICES } from "@/lib/migration/objects/product";
import { type ApiBudget, openBudget } from "@/lib/migration/pipeline/api-budget";
import { type Plan, planObject } from "@/lib/migration/pipeline/map/plan";
import type { RunKey } from "@/lib/migration/pipeline/progress";
import { readPeople } from "@/lib/migration/pipeline/read/people";
import { lineFieldsOf } from "@/lib/migration/pipeline/read/sales-records";
import { fixWindow, type Window } from "@/lib/migration/pipeline/read/window";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { describeObject } from "@/lib/salesforce/describe";
import { isObjectHidden } from "@/lib/salesforce/refusals";

/** The data that all pages of a run share, read once per run and process. */
export interface RunSession {
  run: RunKey;
  kind: Migration["run_kind"];
  api: ApiBudget;
  client: SalesforceClient;
  people: People;
  window: Window;
  configuration: Configuration;
  plans: Map<MigratedObjectName, Promise<Plan>>;
}

/** Opens a client on the source of a migration. */
export type OpenSource = (organizationId: string, connectionId: string) => Promise<SalesforceClient>;

/**
 * Runs of different organizations take turns in a worker. Few sessions are kept, because each has the names of all
 * users of its source.
 */
const MAX_SESSIONS = 8;

const sessions = new Map<string, Promise<RunSession>>();

function keyOf(run: RunKey): string {
  return `${run.organizationId}/${run.migrationId}/${run.runNumber}`;
}

/** The session of a run, opened by its first slice in this process. */
export function sessionOf(run: RunKey, openSource: OpenSource): Promise<RunSession> {
  const key = keyOf(run);
  const session = sessions.get(key) ?? openSession(run, openSource);
  // Makes it the most recent session: a Map keeps the order of insertion.
  sessions.delete(key);
  sessions.set(key, session);
  const [oldest] = sessions.keys();
  if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  return session;
}

/** Deletes the session of a run that has ended, or whose source must be opened again. */
export function closeSession(run: RunKey): void {
  sessions.delete(keyOf(run));
}

async function openSession(run: RunKey, openSource: OpenSource): Promise<RunSession> {
  const migration = await prisma().migrations.findFirst({
    where: { organization_id: run.organizationId, id: run.migrationId },
    select: { connection_id: true, configuration: true, run_kind: true },
  });
  if (!migration) throw new Error("The migration of this run does not exist.");
  await recordWorker(run);
  const client = await openSource(run.organizationId, migration.connection_id);
  const configuration = configurationSchema.parse(migration.configuration ?? {});
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
    plans: new Map(),
  };
}

/** The plan of an object in this run. The object is described once. */
export function planOf(session: RunSession, object: MigratedObjectName): Promise<Plan> {
  const planned = session.plans.get(object);
  if (planned) return planned;
  const plan = describeObject(session.client, object).then(async ({ fields }) =>
    planObject(object, fields, session.configuration.objects[object], await relatedFieldsOf(session, object)),
  );
  session.plans.set(object, plan);
  return plan;
}

/** The custom fields of an object that come from other objects, as far as the Salesforce user may see those. */
async function relatedFieldsOf(session: RunSession, object: MigratedObjectName): Promise<readonly string[]> {
  const { client } = session;
  if (object === "FeedItem" || object === "FeedComment") return [ATTACHMENTS];
  if (object === "EmailMessage") {
    const tasks = await planOfTasks(session);
    return [ATTACHMENTS, ...customFieldsOfTask(taskFieldsToKeep(tasks?.main.ownCustomFields ?? []))];
  }
  if (object === "Product2") return (await isVisible(client, "PricebookEntry")) ? [PRICES] : [];
  return object === "Opportunity" ? relatedToOpportunities(client) : [];
}

async function relatedToOpportunities(client: SalesforceClient): Promise<readonly string[]> {
  const lines = (await lineFieldsOf(client)).length > 0 ? CUSTOM_FIELDS_OF_LINES : [];
  return (await isVisible(client, "OpportunityContactRole")) ? [...lines, "ContactId"] : lines;
}

async function isVisible(client: SalesforceClient, object: string): Promise<boolean> {
  return (await unlessHidden(describeObject(client, object))) !== null;
}

/**
 * The fields to read of Tasks for their e-mails: none if the Salesforce user may not see Tasks; only the link to the
 * contact if the user deselected Tasks.
 */
export async function taskFieldsOf(session: RunSession): Promise<string[]> {
  const fields = taskFieldsToKeep((await planOfTasks(session))?.select ?? []);
  return session.configuration.objects.Task?.selected === false ? fields.filter((field) => field === "WhoId") : fields;
}

function planOfTasks(session: RunSession): Promise<Plan | null> {
  return unlessHidden(planOf(session, "Task"));
}

/** Null where the Salesforce user may not see the object. */
function unlessHidden<Told>(asked: Promise<Told>): Promise<Told | null> {
  return asked.catch((error: unknown) => {
    if (isObjectHidden(error)) return null;
    throw error;
  });
}

/**
 * Updates the statistics of the table that an import is filling. PostgreSQL does so only about once a minute. Until
 * then it would plan foreign key checks for an empty table, and scan all records of the organization for each of them.
 * Runs that create nothing do not fill empty tables, nor do those that read an object for the second time.
 */
export async function refreshStatistics({ kind, run }: RunSession, plan: Plan): Promise<void> {
  for (const { shape } of [plan.main, plan.alternative].filter((some) => some !== null))
    await pool().query(
      `SELECT refresh_statistics($4) FROM migration_objects
       WHERE organization_id = $1 AND migration_id = $2 AND object = $3 AND created > 0
         AND ($5 = 'full' OR read_until IS NULL)`,
      [run.organizationId, run.migrationId, plan.object.name, shape.resource, kind],
    );
}
