import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { FieldDescription } from "@/lib/salesforce/describe";
import type { SourceRecord } from "@/lib/salesforce/query";

/** The part of the describe of a source field that the import needs. */
export type SourceField = Pick<FieldDescription, "name" | "type"> & Partial<Pick<FieldDescription, "picklistValues">>;

/** The default target of a source field, and how well it fits. Null: left out, because another field says the same. */
export interface Mapping {
  target: string | null;
  confidence: "exact" | "likely";
  note?: string;
}

export type Scalar = string | number | boolean | null;

export interface SourceReference {
  extId: string;
  from: string;
}

/** A record that is being built. References still have ids of the source, which SQL replaces by ours. */
export interface Draft {
  columns: Record<string, Scalar>;
  /** Reference column → an id of the source with its field, and a second one to use if the first does not exist. */
  references: Record<string, SourceReference & { fallback?: SourceReference }>;
  customFields: Record<string, unknown>;
  /** The columns whose field, or the meaning of whose value, the user has chosen. */
  chosen?: Set<string>;
  /** Set if the record only shows another one. */
  mirror?: Mirror;
}

/** Another record of the source, and whether it has the same content: the Task of an e-mail. */
export interface Alias {
  extId: string;
  isCopy: boolean;
}

/** The record that this one only shows. */
export interface Mirror {
  extId: string;
  /** Why this one is skipped even if that record is not imported; null: it is imported then. */
  otherwise: Skip | null;
}

/** The users and queues of the source: which of them are members of the organization, and their names. */
export interface People {
  /** The member who this user is, or who was chosen for the user or queue. */
  memberOf(sourceId: string): string | null;
  /** The member who owns what this user or queue owns in the source, and whether it is the same person. */
  ownerOf(sourceId: string): { member: string | null; isSame: boolean };
  nameOf(sourceId: string): string | null;
  /** Finds out who these are, as far as nothing is known of them: of an org with many users not all are read. */
  lookUp(sourceIds: readonly string[]): Promise<void>;
}

/** Why a record is skipped on purpose. */
export interface Skip {
  code: string;
  reason: string;
  field?: string;
  value?: string;
}

/** How one kind of record is built from a source record. */
export interface Shape {
  resource: ResourceName;
  /** Source field → its default target. Fields that are neither here nor in `fixed` are kept in `custom_fields`. */
  fields: Record<string, Mapping>;
  /** Source fields that `refine` handles, shown in the report. The user cannot choose another target for them. */
  fixed: Record<string, Mapping>;
  /** Values of required columns that are empty in the source. */
  placeholders: Record<string, string>;
  /**
   * Columns that `refine` sets, each with the source fields that it is made of. Empty: it depends on no field of the
   * record itself.
   */
  computed: Readonly<Record<string, readonly string[]>>;
  /** Computed column → the column that it follows from: it stays as it is where that one does. */
  follows?: Readonly<Record<string, string>>;
  /**
   * Source field → key prefix of an id → the reference column that `refine` fills with it, for fields that point at
   * several objects, or that cannot be mapped.
   */
  relations?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The source field of the creation time, if it is not CreatedDate. */
  createdFrom?: string;
  /** Handles what a mapping of fields cannot express. Runs after the mapped fields. */
  refine?(record: SourceRecord, draft: Draft, people: People): void;
  aliasOf?(record: SourceRecord): Alias | null;
}

/** A source object and what its records become. */
export interface SourceObject extends Shape {
  name: SourceObjectName;
  /** The name of one record in running text. */
  label: string;
  /** SOQL conditions on the records that a migration imports; by default all. */
  where?: readonly string[];
  /** The most records that a query may ask for, if the source allows fewer than for other objects. */
  maxPageRecords?: number;
  /**
   * True: SOQL cannot filter by SystemModstamp. CreatedDate and LastEditDate say when something was written, and
   * `changedIds` also what else was changed.
   */
  hasNoStampFilter?: true;
  /** True: SOQL does not count its records by a field. */
  hasNoAggregates?: true;
  /** True: what is deleted goes to no recycle bin, so that no query finds it; `changedIds` names it. */
  isHardDeleted?: true;
  /** Fields that only repeat other fields. They are not read. */
  ignoredFields: readonly string[];
  /** Fields that rules read, besides those of `fixed` and `computed`; see `ruleFieldsOf`. */
  ruleFields: readonly string[];
  skip?(record: SourceRecord): Skip | null;
  /** Another shape for the records that `applies` picks. */
  alternative?: { applies(record: SourceRecord): boolean; shape: Shape };
}

/** Where the records of an object are stored. */
export function resourcesOf({ resource, alternative }: SourceObject): ResourceName[] {
  return alternative ? [resource, alternative.shape.resource] : [resource];
}

/** A default mapping to a field of the same meaning and type. */
export function exact(target: string, note?: string): Mapping {
  return { target, confidence: "exact", ...(note && { note }) };
}

/** A default mapping that converts the value. */
export function likely(target: string, note: string): Mapping {
  return { target, confidence: "likely", note };
}

/** A text of a record, cleaned; null if it is empty. */
export function textOf(record: SourceRecord, field: string): string | null {
  const value = record[field];
  return typeof value === "string" && value !== "" ? cleanText(value) : null;
}

/** What shows a value of the source: a text itself, an object as JSON. */
export function asText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Makes text storable in PostgreSQL and JSON: removes U+0000 and replaces lone surrogates by U+FFFD. */
export function cleanText(text: string): string {
  const withoutNul = text.includes("\0") ? text.replaceAll("\0", "") : text;
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed();
}

/** {@link cleanText} for every string within a JSON value. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(cleanJson);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanJson(inner)]));
}
