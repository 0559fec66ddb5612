import { z } from "zod";

const YEAR_FAULT = "The year lies between 0001 and 9999, in UTC too.";

/**
 * A moment with its offset, brought into UTC with milliseconds, in the years that PostgreSQL and four digits have. The year is that of the moment and
 * not of the text: `0001-01-01T00:00:00+14:00` lies in the year before.
 */
export function momentInput(fault: string) {
  return z.iso.datetime({ offset: true, error: fault }).transform((given, context) => {
    const moment = new Date(given).toISOString();
    if (/^(?!0000)\d{4}-/.test(moment)) return moment;
    context.addIssue({ code: "custom", message: YEAR_FAULT, params: { code: "invalid_value" } });
    return z.NEVER;
  });
}

/** As {@link momentInput}, and a date stands for its midnight in UTC. */
export function momentOrDateInput(fault: string) {
  return z
    .string(fault)
    .transform((given) => (z.iso.date().safeParse(given).success ? `${given}T00:00:00Z` : given))
    .pipe(momentInput(fault));
}
