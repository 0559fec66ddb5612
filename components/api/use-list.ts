import { type InfiniteData, keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";

import { getJson } from "@/components/api/request";

/** The page size of lists whose rows are long, or are read again while they change. */
export const SHORT_PAGE = 25;

/**
 * Whoever comes back from a long look at something finds a list with the pages that were loaded, and so the place in
 * them. Not on the server: a timer of each request would hold its pages as long.
 */
export const KEPT_FOR_THE_WAY_BACK = typeof window === "undefined" ? {} : { gcTime: 3_600_000 };

interface ListOptions<Row> {
  queryKey: QueryKey;
  /** Below `/api/v1`, with its query but without a cursor: "/accounts?limit=25". */
  path: string;
  /** The rows of all pages; by default as they came. */
  select?: (list: InfiniteData<Page<Row>>) => Row[];
  /** While the first page of another filter loads, the rows of the previous one stay. */
  keepsPrevious?: boolean;
  /** After how many milliseconds the loaded rows are read again; false for never. */
  refetchEvery?: (rows: readonly Row[]) => number | false;
}

/** The envelope of every list. `next_cursor` requests the next page. */
export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
  has_more: boolean;
}

function rowsOf<Row>({ pages }: InfiniteData<Page<Row>>): Row[] {
  return pages.flatMap((page) => page.data);
}

/** A row that was changed while the pages were read may have come again, further down. It stays where it was first. */
export function distinctById<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** A list of the API, page after page. `data` holds the rows of all pages that are loaded. */
export function useList<Row>(options: ListOptions<Row>) {
  const { queryKey, path, select = rowsOf<Row>, keepsPrevious = false, refetchEvery } = options;
  return useInfiniteQuery({
    queryKey,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => getJson<Page<Row>>(withCursor(path, pageParam), signal),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select,
    ...KEPT_FOR_THE_WAY_BACK,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    refetchInterval: ({ state: { data } }) => refetchEvery?.(data ? rowsOf(data) : []) ?? false,
  });
}

/** The address of the page that begins at `cursor`; of the first page for an empty one. */
export function withCursor(path: string, cursor: string): string {
  return cursor === "" ? path : withParameter(path, "cursor", cursor);
}

/** An address with one more parameter in its query. */
export function withParameter(path: string, name: string, value: string | number): string {
  return `${path}${path.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
}
