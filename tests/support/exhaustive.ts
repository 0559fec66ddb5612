import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

/** Set by `npm test -- --exhaustive`. */
export const isExhaustive = Boolean(process.env.EXHAUSTIVE);

/** Most fields and lists of related records; a thread; a board, with amounts and dates. */
const TYPICAL: readonly ResourceName[] = ["accounts", "cases", "opportunities"];

/** The kinds of records whose code is that of others, which stand for them (decision 0076). */
export const LIKE_OTHERS: readonly string[] = RESOURCES.filter((resource) => !TYPICAL.includes(resource));

/** The kinds of records that are tested where their code is the same. */
export const SAMPLE: readonly ResourceName[] = isExhaustive ? RESOURCES : TYPICAL;
