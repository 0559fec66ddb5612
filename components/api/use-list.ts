import { type InfiniteData, keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";

import { getJson } from "@/components/api/request";

/** The page size of lists whose rows are long, or are read again while they change. */
export const SHORT_PAGE = 25;

/** More pages are read again only after a change or when they are old: each takes a request of its own. */
const MAX_REFRESHED = 5;

const OLD_MS = 300_000;

interface Kept {
  state: { data: InfiniteData<unknown> | undefined; dataUpdatedAt: number; isInvalidated: boolean };
}

/**
 * Whoever comes back from a long look at a record finds the pages that were loaded, and so the place in them. Not on
 * the server: a timer of each request would hold its pages as long.
 */
export const KEPT_FOR_THE_WAY_BACK = {
  ...(typeof window !== "undefined" && { gcTime: 3_600_000 }),
  refetchOnWindowFocus: ({ state: { data } }: Kept) => isShort(data),
  refetchOnMount: ({ state: { data, dataUpdatedAt, isInvalidated } }: Kept) =>
    isInvalidated || isShort(data) || Date.now() - dataUpdatedAt > OLD_MS,
};

function isShort(data: InfiniteData<unknown> | undefined): boolean {
  return (data?.pages.length ?? 0) <= MAX_REFRESHED;
}

interface ListOptions<Row> {
  queryKey: QueryKey;
  /** Below `/api/v1`, with its query but without a cursor: "/accounts?limit=25". */
  path: string;
  /** The rows of all pages; by default as they came. */
  select?: (list: InfiniteData<Page<Row>>) => Row[];
  /** While the first page of another filter loads, the rows of the previous one stay. */
  keepsPrevious?: boolean;
  /** Its rows lead to pages from which readers come back to it. */
  isKept?: boolean;
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
  const { queryKey, path, select = rowsOf<Row>, keepsPrevious = false, isKept = false, refetchEvery } = options;
  return useInfiniteQuery({
    queryKey,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => getJson<Page<Row>>(withCursor(path, pageParam), signal),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select,
    ...(isKept && KEPT_FOR_THE_WAY_BACK),
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
