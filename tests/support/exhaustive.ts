import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

/** Set by `npm test -- --exhaustive`, and for what `npm run rehearse` runs whole. */
export const isExhaustive = process.env.EXHAUSTIVE === "true";

/** Most fields and lists of related records; a thread; a board, with amounts and dates. */
const TYPICAL = new Set<ResourceName>(["accounts", "cases", "opportunities"]);

const represented = new Set<string>(RESOURCES.filter((resource) => !isExhaustive && !TYPICAL.has(resource)));

/**
 * Whether something is tried though others have the same code (decision 0076): false for the kinds of records for which
 * {@link TYPICAL} ones stand. What is of no kind of record is tried.
 */
export function isTried({ resource = "" }: { resource?: string | undefined }): boolean {
  return !represented.has(resource);
}
