import type { SourceContext } from "@/tests/service/support/expected/source-context";
import type { SourceRecord } from "@/tests/service/support/source-org";

export type Resource = "accounts" | "contacts" | "cases" | "case_comments" | "activities";

/** The record that a source record must become, references as the ids of the source, without `id` and `position`. */
export interface ExpectedRecord {
  resource: Resource;
  record: Record<string, unknown> & { ext_id: string; created_at: string; custom_fields: Record<string, unknown> };
  /** Columns of which only the words matter: the text of an HTML body. */
  inWords?: readonly string[];
}

/** The codes of which one must be given as the reason why a source record is not there. */
interface ExpectedAbsence {
  outcome: "skipped" | "failed";
  codes: readonly string[];
}

export type Expectation = ExpectedRecord | ExpectedAbsence;

/** How one record comes about. Whatever is named nowhere here must be kept in `custom_fields` under its API name. */
export interface Sketch {
  /** Column → source field, value for value. */
  copied: Record<string, string>;
  /** Column → source field that holds a moment. */
  moments?: Record<string, string>;
  /** Reference column → source field. Where nothing stands at the other end, the id is kept in `custom_fields`. */
  links?: Record<string, string>;
  /** Columns that took more thought. */
  worked?: Record<string, unknown>;
  /** Source fields that the worked-out columns say in full. */
  carried?: readonly string[];
  /** What `custom_fields` holds beyond the source's own fields. */
  added?: Record<string, unknown>;
  /** The moment of creation, where it is not CreatedDate. */
  createdFrom?: string;
}

/** Bookkeeping of Salesforce's search, sync and screens: it says nothing of the record. */
export const BOOKKEEPING: ReadonlySet<string> = new Set([
  "attributes",
  "IsDeleted",
  "SystemModstamp",
  "LastViewedDate",
  "LastReferencedDate",
]);
/** Addresses in one piece: their parts are fields of their own. */
const COMPOUNDS: ReadonlySet<string> = new Set(["BillingAddress", "ShippingAddress", "MailingAddress", "OtherAddress"]);
/** Fields that repeat what other fields of the same record say: a person's name is made of its parts. */
export const REPEATED: Partial<Record<Resource, ReadonlySet<string>>> = { contacts: new Set(["Name"]) };

/** A moment as Salesforce writes it, `2024-07-24T14:05:58.000+0000`, as our API writes it. */
export function moment(value: unknown): string | null {
  return typeof value === "string" ? new Date(value.replace(/\+0000$/, "Z")).toISOString() : null;
}

/** The columns `name` of `fields` of a source record, value for value. */
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
      updated_at: moment(source.LastModifiedDate),
      version: 1,
      // Nobody in the organization has the e-mail address of an owner in the source.
      owner_id: null,
      ...pick(copied, (field) => source[field] ?? null),
      ...pick(moments, (field) => moment(source[field])),
      ...pick(links, (field) => (isLinked(field) ? source[field] : null)),
      ...worked,
      custom_fields: { ...Object.fromEntries(kept), ...ownerName(source, context), ...added },
    },
  };
}

function ownerName({ OwnerId }: SourceRecord, { names }: SourceContext): Record<string, unknown> {
  return typeof OwnerId === "string" && names.has(OwnerId) ? { "Owner.Name": names.get(OwnerId) } : {};
}
