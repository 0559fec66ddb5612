import { z } from "zod";

import type { Values } from "@/lib/records/write-input";

/** Milliseconds since 1970: from the first on, up to but without the second. */
export interface TimeRange {
  from?: number;
  before?: number;
}

/** A moment to which our milliseconds are compared: the last one not after it, and the first one not before it. */
interface Moment {
  floor: number;
  ceil: number;
}

const COMPARISONS = {
  gt: { meaning: "after", bound: ({ floor }: Moment): TimeRange => ({ from: floor + 1 }) },
  gte: { meaning: "at or after", bound: ({ ceil }: Moment): TimeRange => ({ from: ceil }) },
  lt: { meaning: "before", bound: ({ ceil }: Moment): TimeRange => ({ before: ceil }) },
  lte: { meaning: "at or before", bound: ({ floor }: Moment): TimeRange => ({ before: floor + 1 }) },
};

/** The parameters `field[gt]`, `field[gte]`, `field[lt]` and `field[lte]`; `verb` says what happened at that time. */
export function timeRangeSchemas(field: string, verb: string): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(COMPARISONS).map(([comparison, { meaning }]) => {
      const name = `${field}[${comparison}]`;
      return [name, boundInput(name).exactOptional().describe(`Only records ${verb} ${meaning} this time.`)];
    }),
  );
}

/** The range that the parameters of a field, parsed by {@link timeRangeSchemas}, leave; undefined when none is given. */
export function timeRangeOf(field: string, parameters: Values): TimeRange | undefined {
  const bounds = Object.entries(COMPARISONS).flatMap(([comparison, { bound }]) => {
    const moment = parameters[`${field}[${comparison}]`];
    return moment === undefined ? [] : [bound(moment as Moment)];
  });
  if (bounds.length === 0) return undefined;
  const from = bounds.flatMap((bound) => bound.from ?? []);
  const before = bounds.flatMap((bound) => bound.before ?? []);
  return { ...(from.length > 0 && { from: Math.max(...from) }), ...(before.length > 0 && { before: Math.min(...before) }) };
}

const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

function boundInput(name: string) {
  const fault = `\`${name}\` must be a time like 2026-12-31T09:30:00Z, or a date, which stands for its midnight in UTC. In a URL the + of an offset is %2B.`;
  return z
    .string(fault)
    .refine((given) => time.safeParse(given).success && !given.startsWith("0000"), fault)
    .transform(momentOf);
}

/** What stands beyond milliseconds is dropped by `Date`, yet decides which milliseconds are before the moment. */
function momentOf(given: string): Moment {
  const floor = new Date(given).getTime();
  const isBetween = /\.\d{3}\d*[1-9]/.test(given);
  return { floor, ceil: isBetween ? floor + 1 : floor };
}
