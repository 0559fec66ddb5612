/** The envelope of a page, cut from one row more than `limit`: the row too many only says that there is more. `idOf` gives the cursor of a row. */
export function cutPage<Row>(rows: readonly Row[], limit: number, idOf: (row: Row) => string) {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const has_more = rows.length > limit;
  return { data, next_cursor: has_more && last !== undefined ? idOf(last) : null, has_more };
}
