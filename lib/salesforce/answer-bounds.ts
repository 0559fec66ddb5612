import type { ResponseBound } from "@/lib/input/bounded-json";

/**
 * The limits of each kind of answer, derived from the largest real orgs. Recorded answers: 950 bytes and 42 values per
 * object of an org, 1.4 kB and 60 values per field, 160 bytes per value of a picklist, 230 bytes per child
 * relationship.
 */

/** Versions, resources, limits, counts, identities, tokens, errors: some kilobytes. Connecting reads only these. */
export const SMALL: ResponseBound = { bytes: 1024 * 1024, values: 50_000 };

/**
 * An org with 2,000 custom objects lists some 11,000, including their histories and shares. One object has up to 900
 * fields.
 */
export const DESCRIBE: ResponseBound = { bytes: 16 * 1024 * 1024, values: 1_000_000 };

export const MAX_OBJECTS = 20_000;

export const MAX_FIELDS = 2000;

/**
 * A page of a query is about 3 MB at the page size that is requested. A larger one is requested again with fewer
 * records.
 */
export const PAGE: ResponseBound = { bytes: 16 * 1024 * 1024, values: 500_000 };

export const MAX_PAGE_RECORDS = 2000;

/**
 * All answers together to a question for which somebody waits (allowance.ts): up to 125 MB of the heap. By the figures
 * above, a preview of eight objects with 800 fields each reads 15 MB and 620,000 values.
 */
export const QUESTION: ResponseBound = { bytes: 20 * 1024 * 1024, values: 750_000 };
