import { pool, transaction } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import {
  comparedFields,
  suggestedRules,
  type DuplicateChoices,
  duplicates as duplicatesSchema,
} from "@/lib/migration/configuration/duplicate-rules";
import { searchSample } from "@/lib/migration/duplicates/search";
import { deleteSearches, type Search, startSearch } from "@/lib/migration/duplicates/searches";
import type { SourceField } from "@/lib/migration/objects/declaration";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { type Plan, planObject } from "@/lib/migration/pipeline/map/plan";
import { describeVisible } from "@/lib/migration/pipeline/read/visible-fields";
import { sourceClock } from "@/lib/migration/pipeline/read/window";
import { type DuplicatesOfObject, tooFewRequests } from "@/lib/migration/report/quality/quality-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { nullWhenUnanswered } from "@/lib/salesforce/refusals";

/** A user waits for the report. This many are read by 25 requests and clustered in a few seconds. */
const MAX_RECORDS = 50_000;

/** The same, if Salesforce is slow. */
const READ_MS = 30_000;

/** The part of the API requests that are left which one object may cost. */
const SHARE_OF_REQUESTS = 0.002;

/** The objects whose duplicates a report counts. */
export const COMPARED_OBJECTS = ["Account", "Contact", "Case"] as const satisfies readonly SourceObjectName[];

export type ComparedObject = (typeof COMPARED_OBJECTS)[number];

/** What the report knows before it counts duplicates. */
interface Counting {
  client: SalesforceClient;
  /** The choices that are stored for the object, from an earlier analysis. */
  configured: ObjectConfiguration | undefined;
  /** The records of the object. */
  of: number | null;
  /** API requests that are left; null: unknown. */
  requestsLeft: number | null;
}

/**
 * Counts the duplicates of one object by a search like that of a run: all records, or a sample where that would take
 * long or cost many requests. Null: there are no rules to count by. A repeated step of the analysis starts anew.
 */
export async function findDuplicates(
  key: MigrationKey,
  object: ComparedObject,
  counting: Counting,
): Promise<DuplicatesOfObject | null> {
  const { client, configured, of } = counting;
  const plan = planFor(object, await describeVisible(client, object), configured);
  const rules = rulesFor(object, plan, configured?.duplicates);
  if (!rules) return null;
  const { choices, rules_from } = rules;
  const mapping = { fields: configured?.fields ?? {}, values: configured?.values ?? {} };
  const read_until = await sourceClock(client);
  const started = { object, purpose: "report", run_number: 0, choices, mapping, read_until } as const;
  await deleteSearches(key, "report", (name) => name === object);
  const search = await transaction((tx) => startSearch(tx, key, started));
  return { object, rules: choices.rules, rules_from, of, ...(await count(key, search, plan, counting)) };
}

/** An earlier configuration may choose what the org no longer offers. Then the report goes by the defaults. */
function planFor(object: ComparedObject, fields: readonly SourceField[], configured: ObjectConfiguration | undefined) {
  try {
    return planObject(object, fields, configured);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return planObject(object, fields);
  }
}

type Found = Pick<DuplicatesOfObject, "records" | "records_here" | "clusters" | "duplicates">;

async function count(
  key: MigrationKey,
  search: Search,
  plan: Plan,
  { client, requestsLeft }: Counting,
): Promise<Found & Pick<DuplicatesOfObject, "measured" | "not_counted_because">> {
  const tooFew = tooFewRequests(requestsLeft);
  if (tooFew) return { ...NOT_COUNTED, not_counted_because: tooFew };
  const bounds = { records: sampleSize(requestsLeft), deadline: performance.now() + READ_MS };
  try {
    const measured = await searchSample(key, search, { client, plan }, bounds);
    if (measured) return { ...(await resultOf(key, search.id)), measured, not_counted_because: null };
    return { ...NOT_COUNTED, not_counted_because: "Another analysis of the org began meanwhile." };
  } catch (error) {
    const because = isQuota(error) ? error.message : (nullWhenUnanswered(error) ?? "Salesforce did not list them.");
    return { ...NOT_COUNTED, not_counted_because: because };
  }
}

const NOT_COUNTED = { measured: "sampled" as const, records: 0, records_here: 0, clusters: null, duplicates: null };

function isQuota(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "storage_quota_exceeded";
}

/** Records of which the report compares all, or else the oldest. */
function sampleSize(requestsLeft: number | null): number {
  const requests = requestsLeft === null ? Infinity : Math.max(1, Math.floor(requestsLeft * SHARE_OF_REQUESTS));
  return Math.min(MAX_RECORDS, requests * MAX_PAGE_RECORDS);
}

/** The configured rules, or else the suggested ones whose fields are filled from Salesforce; null if there are none. */
function rulesFor(object: ComparedObject, { main }: Plan, configured: DuplicateChoices | undefined) {
  if (configured && configured.rules.length > 0) return { choices: configured, rules_from: "configuration" as const };
  const filled = new Set(main.fields.map(({ target }) => target));
  // Somebody can ask the same twice, so cases are compared only by rules that were chosen.
  const suggested = object === "Case" ? [] : suggestedRules(object);
  const rules = suggested.filter((rule) => comparedFields([rule]).every((field) => filled.has(field)));
  return rules.length > 0 ? { choices: duplicatesSchema.parse({ rules }), rules_from: "suggested" as const } : null;
}

async function resultOf({ organizationId }: MigrationKey, searchId: string): Promise<Found> {
  const { rows } = await pool().query<Found>(
    `SELECT source_records AS records, records_here, clusters, duplicates FROM duplicate_searches
     WHERE organization_id = $1 AND id = $2`,
    [organizationId, searchId],
  );
  return rows[0] ?? NOT_COUNTED;
}

/** Deletes the searches of a report. Until then contacts are compared by the accounts that become one. */
export function deleteFound(key: MigrationKey): Promise<void> {
  return deleteSearches(key, "report");
}
