import { z } from "zod";

import { DESCRIBE, MOST_FIELDS, MOST_OBJECTS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";

const name = z.string().max(255);
/** Salesforce's own are shorter; what is longer is cut rather than refused. */
const label = z.string().overwrite((text) => text.slice(0, 255));

/** Of what Salesforce says of an object and its fields, what somebody here asks for. */
const globalObject = z.object({
  name,
  label,
  labelPlural: label.nullish(),
  custom: z.boolean().default(false),
  customSetting: z.boolean().default(false),
  /** Has pages in Salesforce, as what people work with does. */
  layoutable: z.boolean().default(true),
  queryable: z.boolean().default(false),
  triggerable: z.boolean().default(false),
  deprecatedAndHidden: z.boolean().default(false),
  associateEntityType: name.nullish(),
});

/** Salesforce has at most 1,000 in a picklist of one's own; lists of countries and the like are longer. */
const MOST_VALUES = 10_000;

const field = z.object({
  name,
  label,
  type: name,
  custom: z.boolean().default(false),
  groupable: z.boolean().default(false),
  picklistValues: z
    .array(z.object({ value: name, active: z.boolean().default(true) }))
    .max(MOST_VALUES)
    .default([]),
});

/** A name is that of one field: by names alone many fields could be told for one of ours, each with all the values of a picklist. */
const description = z.object({
  fields: z
    .array(field)
    .max(MOST_FIELDS)
    .refine((fields) => new Set(fields.map(({ name: own }) => own.toLowerCase())).size === fields.length),
});

const globalDescription = z.object({ sobjects: z.array(globalObject).max(MOST_OBJECTS) });

export type GlobalObject = z.output<typeof globalObject>;
type ObjectDescription = z.output<typeof description>;
export type FieldDescription = z.output<typeof field>;

/** Every object that the user may see. An object or field that permissions hide is absent, not marked. */
export async function describeGlobal(client: SalesforceClient): Promise<GlobalObject[]> {
  return (await client.json(`${client.dataPath}/sobjects`, globalDescription, { bound: DESCRIBE })).sobjects;
}

/** One object with its fields. Throws with `errorCode` NOT_FOUND when the object is hidden or unknown. */
export function describeObject(client: SalesforceClient, name: string): Promise<ObjectDescription> {
  return client.json(`${client.dataPath}/sobjects/${encodeURIComponent(name)}/describe`, description, { bound: DESCRIBE });
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
