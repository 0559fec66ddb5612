import { AppError, type Fault } from "@/lib/errors";
import type { Values } from "@/lib/records/write-input";

/** Of one record's custom fields, as JSON: a page of 200 records, each with those that it refers to, must still be one that can be written and read. */
const MOST_CHARACTERS = 131_072;

/** More than the 800 custom fields that an object of Salesforce can have, so that an imported record can be given more. */
const MOST_NAMES = 1_000;

const DETAIL = `All custom fields of a record together have at most ${inWords(MOST_CHARACTERS)} characters as JSON, and ${inWords(MOST_NAMES)} names. Take some away with null.`;

/**
 * Refuses custom fields, as they would be after a change, that are more than a record may have; `before` is null where it is created. What an import
 * brought may be more, and then stay so or become less. Throws `invalid_request` with a fault `too_long` per record.
 */
export function refuseOversized(changes: readonly { values: Values; before: Values | null }[], prefixOf: (index: number) => string = () => ""): void {
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
  return (characters > MOST_CHARACTERS && characters > JSON.stringify(before).length) || (names > MOST_NAMES && names > Object.keys(before).length);
}

function inWords(count: number): string {
  return count.toLocaleString("en");
}
