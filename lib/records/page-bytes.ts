/** More than this is no page: records that are large end it early, so that an answer stays one that can be written and read. */
export const MOST_PAGE_BYTES = 8 * 1024 * 1024;

/** What stands between two records of a page. A raw line break stands nowhere else, because JSON escapes it within strings. */
export const SEPARATOR = ",\n";

/** The most bytes that UTF-8 has for one unit of a JavaScript string. */
const MOST_BYTES_OF_UNIT = 3;

/** How many of the records, as JSON with {@link SEPARATOR} between, make a page: one at least. Undefined where all of them do, which most pages know at once. */
export function fittingRecords(records: string): number | undefined {
  if (records.length * MOST_BYTES_OF_UNIT <= MOST_PAGE_BYTES || Buffer.byteLength(records) <= MOST_PAGE_BYTES) return undefined;
  let bytes = 0;
  const pieces = records.split(SEPARATOR);
  const tooMany = pieces.findIndex((piece) => {
    bytes += Buffer.byteLength(piece) + SEPARATOR.length;
    return bytes > MOST_PAGE_BYTES;
  });
  return tooMany === -1 ? undefined : Math.max(1, tooMany);
}
