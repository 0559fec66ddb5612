/** What Salesforce gives at most. */
export const LARGEST_PAGE = 2000;
export const SMALLEST_PAGE = 50;
/** Long texts make pages heavy; memory holds two pages at a time. */
const PAGE_CHARACTERS = 3_000_000;

/** How many records make a page of what memory may hold, when `records` of them are `characters` of JSON. */
export function pageSizeFor(records: number, characters: number): number {
  const light = Math.floor((PAGE_CHARACTERS / Math.max(1, characters)) * records);
  return Math.max(SMALLEST_PAGE, Math.min(LARGEST_PAGE, light));
}
