import { pool } from "@/lib/database/db";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { Migration, RunKey } from "@/lib/migration/migration-schema";
import { customFieldsOfPeople, type WithPeople } from "@/lib/migration/objects/activity-people";
import { type People, resourcesOf } from "@/lib/migration/objects/declaration";
import { customFieldsOfTask, IS_CLOSED, linksEmail, taskFieldsToKeep } from "@/lib/migration/objects/email-task";
import { CUSTOM_FIELDS_OF_FILES } from "@/lib/migration/objects/entry-files";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { CUSTOM_FIELDS_OF_LINES } from "@/lib/migration/objects/opportunity";
import { CUSTOM_FIELDS_OF_PRICES } from "@/lib/migration/objects/product";
import type { ApiBudget } from "@/lib/migration/pipeline/api-budget";
import { type Plan, planObject } from "@/lib/migration/pipeline/map/plan";
import { peopleFieldsOf } from "@/lib/migration/pipeline/read/read-activity-people";
import type { PageSize } from "@/lib/migration/pipeline/read/read-by-keyset";
import { lineFieldsOf, priceFieldsOf } from "@/lib/migration/pipeline/read/sales-records";
import { describeVisible } from "@/lib/migration/pipeline/read/visible-fields";
import type { Window } from "@/lib/migration/pipeline/read/window";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { describeObject } from "@/lib/salesforce/describe";
import type { SourceRecord } from "@/lib/salesforce/query";
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
  plans: Map<SourceObjectName, Promise<Plan>>;
  /** A slice goes on with what the pages of those before it have shown. */
  pageSizes: Map<SourceObjectName, PageSize>;
  ends: Map<SourceObjectName, ObjectEnd>;
  /** The source ids that Salesforce names as deleted, of the object whose deletions are being made. */
  deleted: Map<SourceObjectName, readonly string[]>;
  /** The cases that were merged since a moment and stay, each with the one that it was merged into; null: too many. */
  mergedCases: Map<number, readonly SourceRecord[] | null>;
}

/** What is known at the end of an object, as long as nothing more is read of it. */
export interface ObjectEnd {
  checkpoint: string | null;
  /** The records counted in the source after reading; null if only the failed ones were read. */
  source: number | null;
  /** The case up to which threads are numbered. */
  numbered: string;
  /** The record up to which each link to records of the same object is made, by its field. */
  linked: Map<string, string>;
}

/** What a session learns of objects: nothing yet. */
export function nothingLearned(): Pick<RunSession, "plans" | "pageSizes" | "ends" | "deleted" | "mergedCases"> {
  return { plans: new Map(), pageSizes: new Map(), ends: new Map(), deleted: new Map(), mergedCases: new Map() };
}

const FIRST_PAGE_RECORDS = 250;

/** The size of the next pages of an object. */
export function pageSizeOf({ pageSizes }: RunSession, object: SourceObjectName): PageSize {
  const size = pageSizes.get(object) ?? { records: FIRST_PAGE_RECORDS };
  pageSizes.set(object, size);
  return size;
}

/** The plan of an object in this run. The object is described once. */
export function planOf(session: RunSession, object: SourceObjectName): Promise<Plan> {
  const planned = session.plans.get(object);
  if (planned) return planned;
  const plan = describeVisible(session.client, object).then(async (fields) =>
    planObject(object, fields, session.configuration.objects[object], await relatedFieldsOf(session, object)),
  );
  session.plans.set(object, plan);
  return plan;
}

/** The custom fields of an object that come from other objects, as far as the Salesforce user may see those. */
async function relatedFieldsOf(session: RunSession, object: SourceObjectName): Promise<readonly string[]> {
  const { client } = session;
  if (object === "FeedItem" || object === "FeedComment") return CUSTOM_FIELDS_OF_FILES;
  if (object === "EmailMessage") return relatedToEmails(session);
  if (object === "Task" || object === "Event") return peopleOf(client, object);
  if (object === "Product2") return (await priceFieldsOf(client)).length > 0 ? CUSTOM_FIELDS_OF_PRICES : [];
  return object === "Opportunity" ? relatedToOpportunities(client) : [];
}

async function relatedToEmails(session: RunSession): Promise<readonly string[]> {
  const tasks = await planOfTasks(session);
  const ofTasks = customFieldsOfTask(taskFieldsToKeep(tasks?.main.ownCustomFields ?? []));
  return [...CUSTOM_FIELDS_OF_FILES, ...ofTasks, ...(await peopleOf(session.client, "EmailMessage"))];
}

async function peopleOf(client: SalesforceClient, object: WithPeople): Promise<readonly string[]> {
  return (await peopleFieldsOf(client, object)).length > 0 ? customFieldsOfPeople(object) : [];
}

async function relatedToOpportunities(client: SalesforceClient): Promise<readonly string[]> {
  const lines = (await lineFieldsOf(client)).length > 0 ? CUSTOM_FIELDS_OF_LINES : [];
  return (await isVisible(client, "OpportunityContactRole")) ? [...lines, "ContactId"] : lines;
}

async function isVisible(client: SalesforceClient, object: string): Promise<boolean> {
  return (await unlessHidden(describeObject(client, object))) !== null;
}

/** What e-mails take from their Tasks. */
interface TaskFields {
  kept: string[];
  read: string[];
  /** The names of the record types of Tasks. */
  recordTypes: Plan["recordTypes"];
}

/**
 * The fields to read of Tasks for their e-mails, and which of them the e-mails keep: none if the Salesforce user may
 * not see Tasks; only the links if the user deselected Tasks.
 */
export async function taskFieldsOf(session: RunSession): Promise<TaskFields> {
  const { select = [], recordTypes = new Map() } = (await planOfTasks(session)) ?? {};
  const isDeselected = session.configuration.objects.Task?.selected === false;
  const kept = taskFieldsToKeep(select).filter((field) => !isDeselected || linksEmail(field));
  return { kept, read: [...kept, ...select.filter((field) => field === IS_CLOSED)], recordTypes };
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
  for (const resource of resourcesOf(plan.object))
    await pool().query(
      `SELECT refresh_statistics($4) FROM migration_objects
       WHERE organization_id = $1 AND migration_id = $2 AND object = $3 AND created > 0
         AND ($5 = 'full' OR read_until IS NULL)`,
      [run.organizationId, run.migrationId, plan.object.name, resource, kind],
    );
}
