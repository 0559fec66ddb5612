import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { SourceRecord } from "@/lib/salesforce/query";

/** What the import has to know of a field of the source: a part of its describe. */
export interface SourceField {
  name: string;
  type: string;
}

/**
 * Where a source field goes by default, and how sure that is. `target` null: nowhere, since another field says the
 * same.
 */
export interface Mapping {
  target: string | null;
  confidence: "exact" | "likely";
  note?: string;
}

/** The resources that a migration writes. */
export type ImportedResource = Extract<
  ResourceName,
  "accounts" | "contacts" | "cases" | "case_comments" | "activities"
>;

export type Scalar = string | number | boolean | null;

export interface SourceReference {
  extId: string;
  from: string;
}

/** A record on its way into the database. References still hold the source's ids; SQL exchanges them for ours. */
export interface Draft {
  /** Column → value. */
  columns: Record<string, Scalar>;
  /**
   * Reference column → the source's id, and the source field that it came from; and another one, for when that record
   * is not there.
   */
  references: Record<string, SourceReference & { fallback?: SourceReference }>;
  customFields: Record<string, unknown>;
}

/** Users and queues of the source: who of them is a member of the organization, and what they are called. */
export interface People {
  memberOf(sourceId: string): string | null;
  nameOf(sourceId: string): string | null;
}

/** Why a record is left out on purpose. */
export interface Skip {
  code: string;
  reason: string;
  field?: string;
  value?: string;
}

/** How one kind of record is made of a source record. */
export interface Shape {
  resource: ImportedResource;
  /** Source field → where it goes. What stands in neither list is kept in `custom_fields`. */
  fields: Record<string, Mapping>;
  /** Source fields that `refine` places, shown in the report; they cannot be mapped otherwise. */
  fixed: Record<string, Mapping>;
  /** Required text that the source left empty. */
  placeholders: Record<string, string>;
  /** Columns that `refine` sets. */
  computed: readonly string[];
  /** The moment that counts as creation, when it is not CreatedDate. */
  createdFrom?: string;
  /** What a plain mapping cannot say; runs after the mapped fields. */
  refine?(record: SourceRecord, draft: Draft, people: People): void;
  /** The source id of a record that says the same as this one: a Task that mirrors an e-mail. */
  aliasOf?(record: SourceRecord): string | null;
}

/** A source object: what its records become. */
export interface SourceObject extends Shape {
  name: MigratedObjectName;
  /** One record of it in running text. */
  label: string;
  /** Fields that say nothing of the record which another field does not say; they are not read. */
  ignoredFields: readonly string[];
  skip?(record: SourceRecord): Skip | null;
  /** Another shape for the records that `applies` picks. */
  alternative?: { applies(record: SourceRecord): boolean; shape: Shape };
}

/** A default mapping of the same meaning and type. */
export function exact(target: string, note?: string): Mapping {
  return { target, confidence: "exact", ...(note && { note }) };
}

/** A default mapping that converts. */
export function likely(target: string, note: string): Mapping {
  return { target, confidence: "likely", note };
}

/** A text of a record that is not empty, cleaned, else null. */
export function textOf(record: SourceRecord, field: string): string | null {
  const value = record[field];
  return typeof value === "string" && value !== "" ? cleanText(value) : null;
}

/**
 * Text that PostgreSQL and JSON can hold: U+0000, which PostgreSQL cannot store, is dropped, and halves of surrogate
 * pairs become U+FFFD. Everything else stays as it is, letter by letter.
 */
export function cleanText(text: string): string {
  const withoutNul = text.includes("\0") ? text.replaceAll("\0", "") : text;
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed();
}

/** {@link cleanText} for every text within a JSON value. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(cleanJson);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanJson(inner)]));
}
