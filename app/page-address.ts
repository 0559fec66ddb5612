/** The query of a page, as Next gives it to the page. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The query of a page's address. */
export async function queryOf(given: SearchParams): Promise<URLSearchParams> {
  const pairs = Object.entries(await given).flatMap(([name, value = []]) => [value].flat().map((each) => [name, each]));
  return new URLSearchParams(pairs);
}

/** Path and query of a page, to which signing in leads back. */
export async function addressOf(path: string, given: SearchParams): Promise<string> {
  const query = await queryOf(given);
  return query.size > 0 ? `${path}?${query}` : path;
}
