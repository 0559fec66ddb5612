import { z } from "zod";

import type { SalesforceClient } from "@/lib/salesforce/client";

const globalObject = z.object({
  name: z.string(),
  label: z.string(),
  labelPlural: z.string().nullish(),
  keyPrefix: z.string().nullish(),
  custom: z.boolean().default(false),
  customSetting: z.boolean().default(false),
  /** Has pages in Salesforce, as what people work with does. */
  layoutable: z.boolean().default(true),
  queryable: z.boolean().default(false),
  triggerable: z.boolean().default(false),
  deprecatedAndHidden: z.boolean().default(false),
  associateEntityType: z.string().nullish(),
});

const picklistValue = z.object({
  value: z.string(),
  label: z.string().nullish(),
  active: z.boolean().default(true),
  defaultValue: z.boolean().default(false),
});

const field = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  length: z.number().default(0),
  precision: z.number().default(0),
  scale: z.number().default(0),
  custom: z.boolean().default(false),
  nillable: z.boolean().default(true),
  calculated: z.boolean().default(false),
  filterable: z.boolean().default(true),
  groupable: z.boolean().default(false),
  encrypted: z.boolean().default(false),
  compoundFieldName: z.string().nullish(),
  referenceTo: z.array(z.string()).default([]),
  relationshipName: z.string().nullish(),
  picklistValues: z.array(picklistValue).default([]),
  deprecatedAndHidden: z.boolean().default(false),
});

const recordType = z.object({
  name: z.string(),
  developerName: z.string().nullish(),
  active: z.boolean().default(true),
  master: z.boolean().default(false),
});

const description = z.object({
  name: z.string(),
  label: z.string(),
  custom: z.boolean().default(false),
  queryable: z.boolean().default(false),
  fields: z.array(field),
  recordTypeInfos: z.array(recordType).default([]),
});

const globalDescription = z.object({ sobjects: z.array(globalObject) });

export type GlobalObject = z.output<typeof globalObject>;
export type ObjectDescription = z.output<typeof description>;
export type FieldDescription = z.output<typeof field>;

/** Every object that the user may see. An object or field that permissions hide is absent, not marked. */
export async function describeGlobal(client: SalesforceClient): Promise<GlobalObject[]> {
  return (await client.json(`${client.dataPath}/sobjects`, globalDescription)).sobjects;
}

/** One object with its fields. Throws with `errorCode` NOT_FOUND when the object is hidden or unknown. */
export function describeObject(client: SalesforceClient, name: string): Promise<ObjectDescription> {
  return client.json(`${client.dataPath}/sobjects/${encodeURIComponent(name)}/describe`, description);
}

/** Objects that hold a customer's data: people work on them or code reacts to them. Not settings, metadata, events, shares or histories. */
export function holdsData(object: GlobalObject): boolean {
  return (
    object.queryable &&
    (object.custom || object.layoutable || object.triggerable) &&
    !object.deprecatedAndHidden &&
    !object.customSetting &&
    !object.associateEntityType &&
    !/(?:__mdt|__e|__x|__b|__Share|__History|__Feed|__ChangeEvent)$/.test(object.name)
  );
}
