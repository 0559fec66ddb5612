import { z } from "zod";

// Ids may be written in either case (RFC 9562 §4), and have one form within the service. Every id from outside is
// parsed by these.
const lowerCaseText = () => z.string().toLowerCase();

/** An id in a query or body, in lower case. A value that cannot be an id is refused with the sentence `fault`. */
export function idInput(fault: string, code = "invalid_format") {
  return lowerCaseText()
    .refine((value) => z.regexes.uuid7.test(value), { error: fault, params: { code } })
    .meta({ format: "uuid" });
}

/**
 * An id in a path, in lower case. It is not refused here: a path that names nothing is 404, whether or not the value
 * could be an id, so that a client has one case to handle.
 */
export function pathId(label: string) {
  return lowerCaseText().meta({ format: "uuid", description: `The id of the ${label}.` });
}

/** A date within the years that PostgreSQL and four digits can hold: both begin with the year 1. */
export function dateInput(fault: string | ((issue: { input?: unknown }) => string | undefined)) {
  return z.iso
    .date({ error: fault })
    .refine((given) => !given.startsWith("0000"), "The year must be between 0001 and 9999.");
}

/** A time as the API gives it: UTC with milliseconds. */
export const timestampOutput = z.iso.datetime({ precision: 3 });

const YEAR_FAULT = "The year must be between 0001 and 9999, also in UTC.";

/**
 * A time with its offset, converted to UTC with milliseconds, within the years that PostgreSQL and four digits can
 * hold. The year is that of the moment, not of the text: `0001-01-01T00:00:00+14:00` is in the year before.
 */
export function momentInput(fault: string) {
  return z.iso.datetime({ offset: true, error: fault }).transform((given, context) => {
    const moment = new Date(given).toISOString();
    if (/^(?!0000)\d{4}-/.test(moment)) return moment;
    context.addIssue({ code: "custom", message: YEAR_FAULT, params: { code: "invalid_value" } });
    return z.NEVER;
  });
}

/** As {@link momentInput}; a date stands for its midnight in UTC. */
export function momentOrDateInput(fault: string) {
  return z
    .string(fault)
    .transform((given) => (z.iso.date().safeParse(given).success ? `${given}T00:00:00Z` : given))
    .pipe(momentInput(fault));
}
