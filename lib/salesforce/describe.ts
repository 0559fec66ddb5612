import { z } from "zod";

import { batchesOf } from "@/lib/batches";
import { DESCRIBE, MAX_FIELDS, MAX_OBJECTS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { nullWhenUnanswered } from "@/lib/salesforce/refusals";

const name = z.string().max(255);

/** Labels of Salesforce are shorter. Longer ones are cut instead of refused. */
const label = z.string().overwrite((text) => text.slice(0, 255));

/** The properties of an object that this service uses. */
const globalObject = z.object({
  name,
  label,
  labelPlural: label.nullish(),
  custom: z.boolean().default(false),
  customSetting: z.boolean().default(false),
  /** Has pages in Salesforce, like all objects that people work with. */
  layoutable: z.boolean().default(true),
  queryable: z.boolean().default(false),
  triggerable: z.boolean().default(false),
  deprecatedAndHidden: z.boolean().default(false),
  associateEntityType: name.nullish(),
});

/** Salesforce limits a custom picklist to 1,000 values. Lists of countries and the like are longer. */
const MAX_VALUES = 10_000;

const field = z.object({
  name,
  label,
  type: name,
  custom: z.boolean().default(false),
  groupable: z.boolean().default(false),
  /** Whether it is a formula or a roll-up summary. */
  calculated: z.boolean().default(false),
  /** Whether `COUNT(field)` is answered. */
  aggregatable: z.boolean().default(false),
  /** Tells apart fields of one type: a “richtextarea” is a “textarea” with HTML. */
  extraTypeInfo: name.nullish(),
  /** The longest value, in characters; 0 for types without a length. */
  length: z.number().default(0),
  /** Decimal places of numbers. */
  scale: z.number().default(0),
  picklistValues: z
    .array(z.object({ value: name, label: label.nullish(), active: z.boolean().default(true) }))
    .max(MAX_VALUES)
    .default([]),
});

/** Including those that the user may not choose, and those that are inactive. */
const recordType = z.object({ recordTypeId: name, name: label, master: z.boolean().default(false) });

/**
 * Each name occurs once. Otherwise a hostile answer could map many fields to one of ours, each with all the values of a
 * picklist.
 */
const description = z
  .object({
    fields: z
      .array(field)
      .max(MAX_FIELDS)
      .refine((fields) => new Set(fields.map(({ name: own }) => own.toLowerCase())).size === fields.length),
    recordTypeInfos: z.array(recordType).max(MAX_VALUES).default([]),
  })
  .transform(({ fields, recordTypeInfos }) => ({
    fields: fields.map((own) =>
      own.name === "RecordTypeId" ? { ...own, picklistValues: recordTypesAsValues(recordTypeInfos) } : own,
    ),
  }));

/** The record types of an object are the values of its field, with their names as labels. Master stands for none. */
function recordTypesAsValues(types: readonly z.output<typeof recordType>[]): z.output<typeof field>["picklistValues"] {
  return types.flatMap((type) => (type.master ? [] : [{ value: type.recordTypeId, label: type.name, active: true }]));
}

const globalDescription = z.object({ sobjects: z.array(globalObject).max(MAX_OBJECTS) });

export type GlobalObject = z.output<typeof globalObject>;

type ObjectDescription = z.output<typeof description>;

export type FieldDescription = z.output<typeof field>;

/** Every object that the user may see. Objects and fields that permissions hide are absent, not marked. */
export async function describeGlobal(client: SalesforceClient): Promise<GlobalObject[]> {
  return (await client.json(`${client.dataPath}/sobjects`, globalDescription, { bound: DESCRIBE })).sobjects;
}

/** One object with its fields. Throws with `errorCode` NOT_FOUND when the object is hidden or unknown. */
export function describeObject(
  client: SalesforceClient,
  name: string,
  signal?: AbortSignal,
): Promise<ObjectDescription> {
  return client.json(`${client.dataPath}/sobjects/${encodeURIComponent(name)}/describe`, description, {
    bound: DESCRIBE,
    ...(signal && { signal }),
  });
}

/** Objects that people fill on the pages of others: they have neither pages nor triggers of their own. */
const WITHOUT_PAGES = /^(?:Account|Case|Opportunity)TeamMember$|^(?:Account|Case)ContactRole$|^CaseArticle$/;

/**
 * Whether an object has data of the customer: people work with it, or code reacts to it. Excludes settings, metadata,
 * events, shares and histories.
 */
export function holdsData(object: GlobalObject): boolean {
  return (
    object.queryable &&
    (object.custom || object.layoutable || object.triggerable || WITHOUT_PAGES.test(object.name)) &&
    !object.deprecatedAndHidden &&
    !object.customSetting &&
    !object.associateEntityType &&
    !/(?:__mdt|__e|__x|__b|__Share|__History|__Feed|__ChangeEvent)$/.test(object.name)
  );
}

const remaining = z.object({ Remaining: z.number(), Max: z.number().optional() });

const limitsAnswer = z.object({
  DailyApiRequests: remaining.optional(),
  DailyBulkV2QueryJobs: remaining.optional(),
});

const countsAnswer = z.object({
  sObjects: z.array(z.object({ name: z.string(), count: z.number().int().nonnegative() })).max(MAX_OBJECTS),
});

export type Limits = z.output<typeof limitsAnswer>;

/** The remaining limits of the org; null if the user may not see them, or Salesforce fails at it. */
export async function readLimits(client: SalesforceClient): Promise<Limits | null> {
  return client.json(`${client.dataPath}/limits`, limitsAnswer).catch(nullWhenUnanswered);
}

/** Names per request, so that the URL stays short. */
const NAMES_PER_REQUEST = 100;

/**
 * Approximate record counts by object: a snapshot without deleted and archived records, in which objects without
 * records are missing. Null if the user lacks “View Setup and Configuration”, or Salesforce fails at it.
 */
export async function recordCounts(
  client: SalesforceClient,
  objects: readonly string[],
): Promise<Map<string, number> | null> {
  const counts = new Map<string, number>();
  for (const names of batchesOf(objects.map(encodeURIComponent), NAMES_PER_REQUEST)) {
    const answer = await client
      .json(`${client.dataPath}/limits/recordCount?sObjects=${names.join(",")}`, countsAnswer)
      .catch(nullWhenUnanswered);
    if (!answer) return null;
    for (const { name, count } of answer.sObjects) counts.set(name, count);
  }
  return counts;
}
