import { AppError, type Fault } from "@/lib/errors";
import type { Entity } from "@/lib/records/schema/entity";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { Values } from "@/lib/records/schema/write-input";

/** The JSON pointer of the record at `index`, to precede that of a field. */
export type PrefixOf = (index: number) => string;

/** For a single record, which is the whole body. */
export const atRoot: PrefixOf = () => "";

/** A record that is created or changed. */
interface RecordWrite {
  /** What the client or the action sent. */
  given: Values;
  /** What is written: `given` and what follows from it; of a change only what differs. */
  values: Values;
  /** The record until now; null where it is created. */
  before: Values | null;
}

const RULES = [assertNotReserved, assertCustomFieldsFit, assertNotConverted];

/**
 * Asserts every rule that needs no query, in the order of {@link RULES}. Throws `invalid_request` with a fault
 * `use_action` or `too_long` per record, and `illegal_state` for a change of a converted lead.
 */
export function assertWritable({ resource }: Entity, writes: readonly RecordWrite[], prefixOf: PrefixOf): void {
  for (const assertRule of RULES) assertRule(resource, writes, prefixOf);
}

/** A value that only an action sets, because the action changes more than this value. */
interface Reserved {
  field: string;
  value: string;
  /** Whether the action wrote it: it also sets a field that clients cannot write. */
  isSetByAction(given: Values, before: Values | null): boolean;
  detail: string;
}

const RESERVED: Partial<Record<ResourceName, Reserved>> = {
  cases: {
    field: "status",
    value: "escalated",
    isSetByAction: (given, before) => given.is_escalated === true || before?.is_escalated === true,
    detail: "A case is escalated, with a reason, by `POST /api/v1/cases/{id}/escalate`.",
  },
  leads: {
    field: "status",
    value: "converted",
    isSetByAction: (given) => given.converted_at !== undefined,
    detail: "A lead is converted, into an account and a contact, by `POST /api/v1/leads/{id}/convert`.",
  },
};

/** Only an action may set some values. A case that is already escalated may go back to that status. */
function assertNotReserved(resource: ResourceName, writes: readonly RecordWrite[], prefixOf: PrefixOf): void {
  const reserved = RESERVED[resource];
  if (!reserved) return;
  const { field, value, detail, isSetByAction } = reserved;
  const errors = writes.flatMap(({ given, before }, index): Fault[] => {
    const isAllowed = given[field] !== value || before?.[field] === value || isSetByAction(given, before);
    return isAllowed ? [] : [{ pointer: `${prefixOf(index)}/${field}`, code: "use_action", detail }];
  });
  if (errors.length > 0) throw new AppError("invalid_request", detail, { errors });
}

/**
 * For one record, as JSON: a page of 200 records, each with those that it refers to, must still be possible to write
 * and read.
 */
const MAX_CUSTOM_CHARACTERS = 131_072;

/** An object of Salesforce can have 800 custom fields; an imported record can have more added. */
const MAX_CUSTOM_NAMES = 1_000;

const DETAIL =
  `All custom fields of a record together have at most ${formatCount(MAX_CUSTOM_CHARACTERS)} characters as JSON, and ` +
  `${formatCount(MAX_CUSTOM_NAMES)} names. Take some away with null.`;

/** The custom fields after the write are bounded. Imported ones may exceed the bound, but not grow. */
function assertCustomFieldsFit(_: ResourceName, writes: readonly RecordWrite[], prefixOf: PrefixOf): void {
  const errors = writes.flatMap(({ values, before }, index): Fault[] => {
    const { custom_fields: after } = values as { custom_fields?: object };
    const isRefused = after !== undefined && outgrows(after, before?.custom_fields ?? {});
    return isRefused ? [{ pointer: `${prefixOf(index)}/custom_fields`, code: "too_long", detail: DETAIL }] : [];
  });
  if (errors.length > 0) throw new AppError("invalid_request", DETAIL, { errors });
}

function outgrows(after: object, before: object): boolean {
  const characters = JSON.stringify(after).length;
  const names = Object.keys(after).length;
  return (
    (characters > MAX_CUSTOM_CHARACTERS && characters > JSON.stringify(before).length) ||
    (names > MAX_CUSTOM_NAMES && names > Object.keys(before).length)
  );
}

function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/** A converted lead can no longer change. */
function assertNotConverted(resource: ResourceName, writes: readonly RecordWrite[], prefixOf: PrefixOf): void {
  if (resource !== "leads") return;
  const index = writes.findIndex(({ before, values }) => before?.status === "converted" && hasValues(values));
  if (index === -1) return;
  const detail = "A converted lead cannot be changed. Change the account and the contact that it became.";
  throw new AppError("illegal_state", detail, { errors: [{ pointer: prefixOf(index), code: "converted", detail }] });
}

function hasValues(values: Values): boolean {
  return Object.keys(values).length > 0;
}
