import type { ResponseBound } from "@/lib/input/bounded-json";

/**
 * What each kind of answer may hold, by what real orgs hold at most. Recorded answers: 950 bytes and 42 values per
 * object of an org, 1.4 kB and 60 values per field and 160 bytes per value of a picklist, 230 bytes per child
 * relationship.
 */

/**
 * Versions, resources, limits, counts, identities, tokens, refusals: some kilobytes. All that somebody waits for in the
 * web process is of this kind.
 */
export const SMALL: ResponseBound = { bytes: 1024 * 1024, values: 50_000 };

/**
 * An org of 2,000 custom objects lists some 11,000, their histories and shares included; one object has up to 900
 * fields.
 */
export const DESCRIBE: ResponseBound = { bytes: 16 * 1024 * 1024, values: 1_000_000 };

export const MAX_OBJECTS = 20_000;

export const MAX_FIELDS = 2000;

/**
 * A page of a query has 3 MB by the size that is asked for; one that weighs more is asked for again with fewer records.
 */
export const PAGE: ResponseBound = { bytes: 16 * 1024 * 1024, values: 500_000 };

export const MAX_PAGE_RECORDS = 2000;
