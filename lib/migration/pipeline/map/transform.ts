import { importedId } from "@/lib/ids";
import {
  type Alias,
  asText,
  cleanJson,
  cleanText,
  type Draft,
  type Mirror,
  type People,
  type SourceReference,
  textOf,
} from "@/lib/migration/objects/declaration";
import { parseMoment } from "@/lib/migration/pipeline/map/convert";
import type { Plan, ShapePlan } from "@/lib/migration/pipeline/map/plan";
import type { ResourceName } from "@/lib/records/schema/resources";
import { isSalesforceId, to18 } from "@/lib/salesforce/ids";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A source record that is not imported, and why. */
export interface Issue {
  ext_id: string;
  outcome: "skipped" | "failed";
  code: string;
  reason: string;
  field: string | null;
  value: string | null;
}

/** A row for the load statement: column → value, with references as ids of the source. */
export interface Row {
  id: string;
  ext_id: string;
  created_at: string;
  updated_at: string;
  owner_id: string | null;
  custom_fields: Record<string, unknown>;
  /** See `digestOf`; null or missing if what becomes of the record does not follow from its source record alone. */
  source_digest?: string | null;
  /** The version with which it is created: the first, unless it was here before and a migration has deleted it. */
  version?: number;
  /** Reference column → its fallback. Not a column: {@link applyFallbacks} reads it. */
  fallbacks?: Record<string, SourceReference>;
  /** The records without which this one is left out. Not a column: {@link splitByParents} reads it. */
  needs?: Need[];
  /** What the record only shows. Not a column: {@link leaveOutMirrors} reads it. */
  mirror?: Mirror;
  [column: string]: unknown;
}

/** A record of `target` that must be here. */
export interface Need {
  field: string;
  extId: string;
  target: ResourceName;
  /** Whether no record can be stored without it: a comment belongs to a case. */
  isRequired: boolean;
}

export type Outcome = { plan: ShapePlan; row: Row; alias: Alias | null } | { issue: Issue };

const MAX_VALUE_LENGTH = 500;

export function issueOf(
  extId: string,
  outcome: Issue["outcome"],
  code: string,
  reason: string,
  field?: string,
  value?: unknown,
): Issue {
  const shown =
    value === undefined || value === null ? null : cleanText(asText(value)).slice(0, MAX_VALUE_LENGTH).toWellFormed();
  return { ext_id: extId, outcome, code, reason, field: field ?? null, value: shown };
}

/**
 * Maps a source record to a row, or to the issue that says why there is none. Pure: the same input gives the same
 * output, including ids.
 */
export function transform(plan: Plan, record: SourceRecord, people: People, organizationId: string): Outcome {
  const extId = String(record.Id);
  const skipped = skipOf(plan, record, extId);
  if (skipped) return { issue: skipped };
  const shapePlan = plan.alternative && plan.object.alternative?.applies(record) ? plan.alternative : plan.main;
  const draft = draftOf(shapePlan, record, people);
  nameRecordType(plan, record, draft);
  const createdAt = creationOf(shapePlan, record, draft);
  if (createdAt === null) {
    const reason = "CreatedDate is no time from 1970 on, so the record cannot be sorted by time.";
    return { issue: issueOf(extId, "failed", "invalid_created_date", reason, "CreatedDate", record.CreatedDate) };
  }
  const modifiedAt = modificationOf(record, draft, createdAt);
  const row: Row = {
    id: importedId(organizationId, extId, new Date(createdAt)),
    ext_id: extId,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(modifiedAt).toISOString(),
    owner_id: ownerOf(record, draft, people),
    custom_fields: draft.customFields,
  };
  const large = oversizeIssue(row);
  if (large) return { issue: large };
  fill(row, shapePlan, draft, record);
  return { plan: shapePlan, row, alias: shapePlan.shape.aliasOf?.(record) ?? null };
}

/** Bounds records: with all the long texts that a Salesforce object can have, pages of records could not be read. */
const MAX_CUSTOM_FIELDS_LENGTH = 1_000_000;

/** Cheap and slightly too low: the length of names and values as JSON without escapes and punctuation. */
function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  return typeof value === "object" ? JSON.stringify(value).length : 5;
}

function oversizeIssue({ ext_id: extId, custom_fields: fields }: Row): Issue | null {
  let sum = 0;
  let largest = { name: "", size: 0 };
  for (const name of Object.keys(fields)) {
    const size = name.length + charactersOf(fields[name]);
    sum += size;
    if (size > largest.size) largest = { name, size };
  }
  if (sum <= MAX_CUSTOM_FIELDS_LENGTH) return null;
  const reason =
    `Its custom fields have more than ${MAX_CUSTOM_FIELDS_LENGTH.toLocaleString("en")} characters together, most of ` +
    `them in ${largest.name}.`;
  return issueOf(extId, "failed", "too_large", reason, largest.name, fields[largest.name]);
}

function skipOf(plan: Plan, record: SourceRecord, extId: string): Issue | null {
  if (record.IsDeleted === true) {
    return issueOf(
      extId,
      "skipped",
      "deleted_in_source",
      "The record was deleted in Salesforce while the migration ran.",
      "IsDeleted",
      true,
    );
  }
  const skip = plan.object.skip?.(record);
  return skip ? issueOf(extId, "skipped", skip.code, skip.reason, skip.field, skip.value) : null;
}

function draftOf(plan: ShapePlan, record: SourceRecord, people: People): Draft {
  const draft: Draft = { columns: {}, references: {}, customFields: {} };
  for (const { source, place } of plan.fields) {
    const value = record[source];
    if (value !== null && value !== undefined) place(value, draft);
  }
  plan.shape.refine?.(record, draft, people);
  for (const source of plan.leftOut) delete draft.customFields[source];
  return draft;
}

/**
 * The creation time in milliseconds. A shape's own field takes precedence over CreatedDate, which is then kept in
 * `custom_fields`.
 */
function creationOf(plan: ShapePlan, record: SourceRecord, draft: Draft): number | null {
  const { createdFrom } = plan.shape;
  const moment = createdFrom ? parseMoment(record[createdFrom]) : null;
  if (moment !== null && moment >= 0) {
    draft.customFields.CreatedDate = cleanJson(record.CreatedDate);
    return moment;
  }
  if (createdFrom && record[createdFrom]) draft.customFields[createdFrom] = cleanJson(record[createdFrom]);
  const created = parseMoment(record.CreatedDate);
  return created !== null && created >= 0 ? created : null;
}

/** The time of the last change. An earlier one than the creation, or what is no time, is kept as a custom field. */
function modificationOf(record: SourceRecord, draft: Draft, createdAt: number): number {
  const modified = parseMoment(record.LastModifiedDate);
  if (modified !== null && modified >= createdAt) return modified;
  if (record.LastModifiedDate) draft.customFields.LastModifiedDate = cleanJson(record.LastModifiedDate);
  return createdAt;
}

/**
 * The member who owns the record. The id of the owner is always kept, because several users of the source may share an
 * e-mail address.
 */
function ownerOf(record: SourceRecord, draft: Draft, people: People): string | null {
  const owner = textOf(record, "OwnerId");
  if (!owner) return null;
  draft.customFields.OwnerId = owner;
  const { member, isSame } = people.ownerOf(owner);
  const name = isSame ? null : people.nameOf(owner);
  if (name) draft.customFields["Owner.Name"] = name;
  return member;
}

/** Keeps the name of the record type beside its id, unless the user leaves that out, or the org does not tell it. */
function nameRecordType({ recordTypes }: Plan, record: SourceRecord, draft: Draft): void {
  if (recordTypes.size === 0) return;
  const name = recordTypes.get(String(record.RecordTypeId));
  if (name !== undefined) draft.customFields["RecordType.Name"] = cleanText(name);
}

/** The records that this one needs, because the user chose to leave it out without them. */
function needsOf({ links }: ShapePlan, record: SourceRecord): Need[] {
  return links.flatMap(({ choice, field, prefix, target, required: isRequired }) => {
    const extId = choice === "leave_out" ? record[field] : null;
    if (typeof extId !== "string" || !isSalesforceId(extId) || !extId.startsWith(prefix ?? "")) return [];
    return [{ field, extId: to18(extId), target, isRequired }];
  });
}

function fill(row: Row, plan: ShapePlan, draft: Draft, record: SourceRecord): void {
  const needs = needsOf(plan, record);
  if (needs.length > 0) row.needs = needs;
  if (draft.mirror) row.mirror = draft.mirror;
  for (const { name, filler } of plan.columns) row[name] = draft.columns[name] ?? filler;
  for (const column of plan.references) {
    const reference = draft.references[column];
    if (!reference) continue;
    row[column] = reference.extId;
    row[`${column}_from`] = reference.from;
    if (reference.fallback) row.fallbacks = { ...row.fallbacks, [column]: reference.fallback };
  }
}
