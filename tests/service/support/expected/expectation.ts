import type { SourceContext } from "@/tests/service/support/expected/source-context";
import type { SourceRecord } from "@/tests/service/support/source-org";

export type Resource = "accounts" | "contacts" | "cases" | "case_comments" | "activities";

/**
 * The record that a source record must become, with the source's ids in its references, without `id` and `position`.
 */
export interface ExpectedRecord {
  resource: Resource;
  record: Record<string, unknown> & { ext_id: string; created_at: string; custom_fields: Record<string, unknown> };
  /** Columns that are compared by words only: the text of an HTML body. */
  inWords?: readonly string[];
}

/** The codes of which one must be the reason why a source record was left out. */
interface ExpectedAbsence {
  outcome: "skipped" | "failed";
  codes: readonly string[];
}

export type Expectation = ExpectedRecord | ExpectedAbsence;

/** How one record is made. Every field that is not named here must be kept in `custom_fields` under its API name. */
export interface Sketch {
  /** Column → source field with the same value. */
  copied: Record<string, string>;
  /** Column → source field with a date and time. */
  moments?: Record<string, string>;
  /** Reference column → source field. If the referenced record does not exist, its id is kept in `custom_fields`. */
  links?: Record<string, string>;
  /** Columns with computed values. */
  worked?: Record<string, unknown>;
  /** Source fields whose values the computed columns contain completely. */
  carried?: readonly string[];
  /** Other values of `custom_fields`, not from the source's own fields. */
  added?: Record<string, unknown>;
  /** The creation time, if it is not CreatedDate. */
  createdFrom?: string;
}

/** Fields of Salesforce's search, sync and pages, which say nothing about the record. */
export const BOOKKEEPING: ReadonlySet<string> = new Set([
  "attributes",
  "IsDeleted",
  "SystemModstamp",
  "LastViewedDate",
  "LastReferencedDate",
]);
/** Compound addresses. Their parts are separate fields. */
const COMPOUNDS: ReadonlySet<string> = new Set(["BillingAddress", "ShippingAddress", "MailingAddress", "OtherAddress"]);
/** Fields whose value follows from other fields of the record: a person's name consists of its parts. */
export const REPEATED: Partial<Record<Resource, ReadonlySet<string>>> = { contacts: new Set(["Name"]) };

/** Converts `2024-07-24T14:05:58.000+0000`, Salesforce's format, to our API's. */
export function moment(value: unknown): string | null {
  return typeof value === "string" ? new Date(value.replace(/\+0000$/, "Z")).toISOString() : null;
}

/** Columns with the values of their source fields. */
function pick<Value>(
  fields: Record<string, string> | undefined,
  read: (source: string) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields ?? {}).map(([column, source]) => [column, read(source)]));
}

export function expectRecord(
  resource: Resource,
  source: SourceRecord,
  context: SourceContext,
  sketch: Sketch,
): ExpectedRecord {
  const { copied, moments, links, worked, carried = [], added, createdFrom = "CreatedDate" } = sketch;
  const isLinked = (field: string) => context.linkable.has(String(source[field]));
  const saidInFull = new Set([
    ...Object.values(copied),
    ...Object.values(moments ?? {}),
    ...Object.values(links ?? {}).filter(isLinked),
    ...carried,
  ]);
  const isKept = (field: string) =>
    !saidInFull.has(field) && !BOOKKEEPING.has(field) && !COMPOUNDS.has(field) && !REPEATED[resource]?.has(field);
  const own = new Set(["Id", createdFrom, "LastModifiedDate"]);
  const kept = Object.entries(source).filter(([field, value]) => value !== null && isKept(field) && !own.has(field));
  return {
    resource,
    record: {
      ext_id: source.Id,
      created_at: moment(source[createdFrom]) ?? "",
      // A comment in a feed has no LastModifiedDate.
      updated_at: moment(source.LastModifiedDate ?? source[createdFrom]),
      // An entry is numbered once all of its thread are stored.
      version: resource === "case_comments" ? 2 : 1,
      // No member of the organization has the e-mail address of a source owner.
      owner_id: null,
      ...pick(copied, (field) => source[field] ?? null),
      ...pick(moments, (field) => moment(source[field])),
      ...pick(links, (field) => (isLinked(field) ? source[field] : null)),
      ...worked,
      custom_fields: { ...Object.fromEntries(kept), ...namesBesideIds(source, context), ...added },
    },
  };
}

function namesBesideIds(source: SourceRecord, { names }: SourceContext): Record<string, unknown> {
  const named = ["Owner", "RecordType"].flatMap((relation) => {
    const name = names.get(String(source[`${relation}Id`]));
    return name === undefined ? [] : [[`${relation}.Name`, name]];
  });
  return Object.fromEntries(named);
}
