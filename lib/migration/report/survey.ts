import { answerWithin } from "@/lib/migration/report/answer-within";
import { importedObjects, isImported } from "@/lib/migration/objects/imported-objects";
import {
  isSourceObject,
  objectName,
  OPTIONAL_OBJECTS,
  PLANNED_OBJECTS,
} from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { measureLatency } from "@/lib/migration/report/measures/measure-latency";
import type { Report } from "@/lib/migration/report/report-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { describeGlobal, type GlobalObject, holdsData, recordCounts } from "@/lib/salesforce/describe";
import { identifyOrg } from "@/lib/salesforce/probe";
import { count, query, select } from "@/lib/salesforce/query";
import { isQueryTooLarge, nullWhenRefused } from "@/lib/salesforce/refusals";

/** One object of the org, counted. */
export interface SurveyedObject {
  name: string;
  /** The name in the plural: "Cases". */
  label: string;
  custom: boolean;
  /** Null if counting was refused. */
  count: number | null;
  /** False if a migration imports the object and the Salesforce user may not see it. */
  readable: boolean;
}

export interface Survey {
  org: Report["org"];
  analyzedAs: Report["analyzed_as"];
  objects: SurveyedObject[];
  /** The duration of the smallest request, in milliseconds. */
  latency: number;
}

const PLANNED = new Set<string>(PLANNED_OBJECTS);

/** Users and groups are matched, not imported. */
const PEOPLE = new Set(["User", "Group"]);

/** How many objects are counted one by one if the org does not return all counts at once. */
const MAX_SINGLE_COUNTS = 60;

/**
 * The objects of the org that have data, with their numbers of records: what is imported, what is planned, and what
 * stays in Salesforce. `keep` gets the migrated ones that are counted so far after each of them.
 */
export async function surveyOrg(
  client: SalesforceClient,
  keep: (counted: SurveyedObject[]) => Promise<void>,
): Promise<Survey> {
  const org = await identifyOrg(client);
  const visible = (await describeGlobal(client)).filter((object) => isReported(object));
  const latency = await measureLatency(client);
  return {
    org: {
      id: org.orgId,
      name: org.orgName,
      ext_instance_url: org.instanceUrl,
      api_version: org.apiVersion,
      is_sandbox: org.isSandbox,
    },
    analyzedAs: { user_id: org.userId, username: org.username },
    objects: [...(await surveyMigrated(client, visible, keep)), ...(await surveyOthers(client, visible))],
    latency,
  };
}

function isReported(object: GlobalObject): boolean {
  return (
    object.queryable &&
    (isImported(object.name) || PLANNED.has(object.name) || (holdsData(object) && !PEOPLE.has(object.name)))
  );
}

/** Counts exactly, including archived records. The quick counts exclude those, and thus most activities. */
async function surveyMigrated(
  client: SalesforceClient,
  visible: readonly GlobalObject[],
  keep: (counted: SurveyedObject[]) => Promise<void>,
): Promise<SurveyedObject[]> {
  const surveyed: SurveyedObject[] = [];
  for (const name of importedObjects()) {
    const object = visible.find((candidate) => candidate.name === name);
    if (!object && OPTIONAL_OBJECTS.has(name)) continue;
    const records = object ? await countRecords(client, name) : null;
    const readable = records !== null || (object !== undefined && (await canRead(client, name)));
    surveyed.push({ name, label: objectName(name), custom: false, count: records, readable });
    await keep(surveyed);
  }
  return surveyed;
}

/**
 * The number of records of an object, including archived and excluding deleted ones; null if the source refuses or
 * takes too long.
 */
export function countRecords(
  client: SalesforceClient,
  object: string,
  where: readonly string[] = [],
): Promise<number | null> {
  const soql = select({
    fields: ["COUNT()"],
    from: object,
    where: ["IsDeleted = false", ...migratedOf(object), ...where],
  });
  return answerWithin((signal) => count(client, soql, { all: true, signal }));
}

/** The conditions on the records of an object that a migration imports. */
export function migratedOf(object: string): readonly string[] {
  return (isSourceObject(object) && SOURCE_OBJECTS[object].where) || [];
}

/** Millions of records may take too long to count, or to find one of, and can still be read. */
async function canRead(client: SalesforceClient, object: string): Promise<boolean> {
  const soql = select({ fields: ["Id"], from: object, where: migratedOf(object), limit: 1 });
  const isAnswered = await answerWithin((signal) => query(client, soql, { signal }).then(() => true, isOnlySlow));
  return isAnswered ?? true;
}

/** False if the source refuses to read at all. Throws what is no refusal. */
function isOnlySlow(error: unknown): boolean {
  if (isQueryTooLarge(error)) return true;
  nullWhenRefused(error);
  return false;
}

async function surveyOthers(client: SalesforceClient, visible: readonly GlobalObject[]): Promise<SurveyedObject[]> {
  const others = visible.filter(({ name }) => !isImported(name));
  const names = others.map(({ name }) => name);
  const counts: Map<string, number | null> = (await recordCounts(client, names)) ?? (await countSingly(client, names));
  return others.map((object) => ({
    name: object.name,
    label: labelOf(object),
    custom: object.custom,
    count: countOf(counts, object.name),
    readable: true,
  }));
}

function labelOf({ label, labelPlural }: GlobalObject): string {
  return labelPlural ?? label;
}

/** The quick counts omit objects without records. */
function countOf(counts: Map<string, number | null>, name: string): number | null {
  return counts.has(name) ? (counts.get(name) ?? null) : 0;
}

/** What the report names by itself comes first, then custom objects. */
function rankOf(name: string): number {
  if ((PLANNED_OBJECTS as readonly string[]).includes(name) || FILE_OBJECTS.has(name)) return 0;
  return name.endsWith("__c") ? 1 : 2;
}

const FILE_OBJECTS: ReadonlySet<string> = new Set(["Attachment", "ContentDocument", "Document"]);

async function countSingly(client: SalesforceClient, names: readonly string[]): Promise<Map<string, number | null>> {
  const counts = new Map<string, number | null>(names.map((name) => [name, null]));
  const mattering = names.toSorted((one, other) => rankOf(one) - rankOf(other));
  for (const name of mattering.slice(0, MAX_SINGLE_COUNTS)) {
    const soql = select({ fields: ["COUNT()"], from: name });
    counts.set(name, await answerWithin((signal) => count(client, soql, { signal })));
  }
  return counts;
}
