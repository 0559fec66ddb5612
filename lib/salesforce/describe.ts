import { z } from "zod";

import type { SalesforceClient } from "@/lib/salesforce/client";

/** Of what Salesforce says of an object and its fields, what somebody here asks for. */
const globalObject = z.object({
  name: z.string(),
  label: z.string(),
  labelPlural: z.string().nullish(),
  custom: z.boolean().default(false),
  customSetting: z.boolean().default(false),
  /** Has pages in Salesforce, as what people work with does. */
  layoutable: z.boolean().default(true),
  queryable: z.boolean().default(false),
  triggerable: z.boolean().default(false),
  deprecatedAndHidden: z.boolean().default(false),
  associateEntityType: z.string().nullish(),
});

const field = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  custom: z.boolean().default(false),
  groupable: z.boolean().default(false),
  picklistValues: z.array(z.object({ value: z.string(), active: z.boolean().default(true) })).default([]),
});

const description = z.object({ fields: z.array(field) });

const globalDescription = z.object({ sobjects: z.array(globalObject) });

export type GlobalObject = z.output<typeof globalObject>;
type ObjectDescription = z.output<typeof description>;
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
