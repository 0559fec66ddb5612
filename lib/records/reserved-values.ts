import { AppError, type Fault } from "@/lib/errors";
import type { ResourceName } from "@/lib/records/resources";
import type { Values } from "@/lib/records/write-input";

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
 * Refuses values that only an action may set; `before` is null where a record is created. A case that is escalated already may go back to
 * that status. Throws `invalid_request` with a fault `use_action` per record.
 */
export function refuseReserved(
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
