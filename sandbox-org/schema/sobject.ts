import type { Org } from "../generator/population";
import type { Field } from "./field";

/** An object of the org: its describe, and its records as functions of org and ordinal. */
export interface SObject {
  readonly name: string;
  readonly label: string;
  readonly labelPlural: string;
  /** Null for objects without a key prefix. */
  readonly keyPrefix: string | null;
  readonly fields: readonly Field[];
  /** False for objects that describe global lists but query refuses. */
  readonly queryable: boolean;
  readonly createable: boolean;
  readonly searchable: boolean;
  readonly layoutable: boolean;
  readonly mergeable: boolean;
  /** False for objects that support no triggers, though records can be created. */
  readonly triggerable: boolean;
  readonly feedEnabled: boolean;
  readonly customSetting: boolean;
  readonly associateEntityType: string | null;
  readonly associateParentEntity: string | null;
  /** Served by the tooling API rather than the data API. */
  readonly tooling: boolean;
  /** Number of ordinals: live and deleted records. */
  readonly total: (org: Org) => number;
  readonly isDeleted: (org: Org, ordinal: number) => boolean;
  /** True for activities and files that only queryAll returns. */
  readonly isArchived: (org: Org, ordinal: number) => boolean;
}

export type SObjectOptions = Partial<Omit<SObject, "name" | "fields">> & Pick<SObject, "label" | "keyPrefix" | "total">;

export function sobject(name: string, fields: readonly Field[], options: SObjectOptions): SObject {
  return {
    name,
    fields,
    labelPlural: `${options.label}s`,
    queryable: true,
    createable: true,
    searchable: true,
    layoutable: true,
    mergeable: false,
    triggerable: true,
    feedEnabled: false,
    customSetting: false,
    associateEntityType: null,
    associateParentEntity: null,
    tooling: false,
    isDeleted: () => false,
    isArchived: () => false,
    ...options,
  };
}
