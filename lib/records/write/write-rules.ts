import { AppError, type Fault } from "@/lib/errors";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { Values } from "@/lib/records/schema/write-input";

/** A value that only an action sets, since more than the value changes with it. */
interface Reserved {
  field: string;
  value: string;
  /** The action sets a field beside it that clients cannot write, which tells it from them. */
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

/**
 * Refuses values that only an action may set; `before` is null where a record is created. A case that is escalated
 * already may go back to that status. Throws `invalid_request` with a fault `use_action` per record.
 */
export function assertNotReserved(
  resource: ResourceName,
  changes: readonly { given: Values; before: Values | null }[],
  prefixOf: (index: number) => string = () => "",
): void {
  const reserved = RESERVED[resource];
  if (!reserved) return;
  const { field, value, detail, isSetByAction } = reserved;
  const errors = changes.flatMap(({ given, before }, index): Fault[] => {
    const isFree = given[field] !== value || before?.[field] === value || isSetByAction(given, before);
    return isFree ? [] : [{ pointer: `${prefixOf(index)}/${field}`, code: "use_action", detail }];
  });
  if (errors.length > 0) throw new AppError("invalid_request", detail, { errors });
}

/**
 * Of one record's custom fields, as JSON: a page of 200 records, each with those that it refers to, must still be one
 * that can be written and read.
 */
const MAX_CUSTOM_CHARACTERS = 131_072;

/**
 * More than the 800 custom fields that an object of Salesforce can have, so that an imported record can be given more.
 */
const MAX_CUSTOM_NAMES = 1_000;

const DETAIL =
  `All custom fields of a record together have at most ${inWords(MAX_CUSTOM_CHARACTERS)} characters as JSON, and ` +
  `${inWords(MAX_CUSTOM_NAMES)} names. Take some away with null.`;

/**
 * Refuses custom fields, as they would be after a change, that are more than a record may have; `before` is null where
 * it is created. What an import brought may be more, and then stay so or become less. Throws `invalid_request` with a
 * fault `too_long` per record.
 */
export function assertCustomFieldsFit(
  changes: readonly { values: Values; before: Values | null }[],
  prefixOf: (index: number) => string = () => "",
): void {
  const errors = changes.flatMap(({ values, before }, index): Fault[] => {
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

function inWords(count: number): string {
  return count.toLocaleString("en");
}

/** Throws `illegal_state` for a change of a lead that has been converted: what it says is kept as it was then. */
export function assertNotConverted(resource: ResourceName, before: Values, pointer: string): void {
  if (resource !== "leads" || before.status !== "converted") return;
  const detail = "A lead that has been converted cannot be changed. Change the account and the contact that it became.";
  throw new AppError("illegal_state", detail, { errors: [{ pointer, code: "converted", detail }] });
}
