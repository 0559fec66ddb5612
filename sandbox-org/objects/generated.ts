import { isDeleted, type GeneratedObject } from "../generator/population";
import { KEY_PREFIXES } from "../generator/references";
import type { Field } from "../schema/field";
import { sobject, type SObject, type SObjectOptions } from "../schema/sobject";

/** An object with generated records. */
export function generated(
  name: GeneratedObject,
  fields: readonly Field[],
  options: Partial<SObjectOptions> & { label: string },
): SObject {
  return sobject(name, fields, {
    keyPrefix: KEY_PREFIXES[name],
    total: (org) => org.total[name],
    isDeleted: (org, ordinal) => isDeleted(org, name, ordinal),
    ...options,
  });
}
