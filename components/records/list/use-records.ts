import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { distinctById, KEPT_FOR_THE_WAY_BACK, withCursor } from "@/components/api/use-list";
import { FIRST_LIMIT, type ListView, narrowing } from "@/components/records/list/view/list-view";
import { apiQuery, type ListRow, type RecordPage, type RowPage, toRows } from "@/components/records/list/view/list-row";
import { MAX_LIMIT } from "@/lib/input/limits";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The first page of one view, which has come with the page from the server. */
export interface FirstPage {
  query: string;
  page: RowPage;
  /** When it was read. The browser may show the page again much later, as after Back. */
  readAt: number;
}

/** Begins the keys of lists of rows, beside which the cache has counts and other lists of the same records. */
const ROWS = "rows: ";

/** The records of a view, page after page. `data` holds the rows of all pages that are loaded. */
export function useRecords(resource: ResourceName, view: ListView, first: FirstPage | null) {
  const query = apiQuery(resource, view).toString();
  return useInfiniteQuery({
    queryKey: queryKeys.records(resource, `${ROWS}${query}`),
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const limit = pageParam === "" ? FIRST_LIMIT : MAX_LIMIT;
      const path = withCursor(`/${resource}?${query}&limit=${limit}`, pageParam);
      return toRows(resource, view, await getJson<RecordPage>(path, signal));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select: view.sort === "created_at" ? rowsOf : distinctRowsOf,
    placeholderData: keepPreviousData,
    ...KEPT_FOR_THE_WAY_BACK,
    ...(first?.query === query && {
      initialData: { pages: [first.page], pageParams: [""] },
      initialDataUpdatedAt: first.readAt,
    }),
  });
}

function rowsOf({ pages }: InfiniteData<RowPage>): ListRow[] {
  return pages.flatMap((page) => page.rows);
}

function distinctRowsOf(data: InfiniteData<RowPage>): ListRow[] {
  return distinctById(rowsOf(data));
}

/** Tells every list of rows which versions some records have now. */
export function setVersions(queries: QueryClient, resource: ResourceName, versions: ReadonlyMap<string, number>): void {
  if (versions.size === 0) return;
  queries.setQueriesData<InfiniteData<RowPage>>(
    { queryKey: ["records", resource], predicate: ({ queryKey }) => String(queryKey[2]).startsWith(ROWS) },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          rows: page.rows.map((row) => ({ ...row, version: versions.get(row.id) ?? row.version })),
        })),
      },
  );
}

/** How many records a view has in all; undefined until they are counted. */
export function useTotal(resource: ResourceName, view: ListView): number | undefined {
  const query = narrowing(resource, { ...view, sort: "created_at", order: "desc" });
  query.set("include", "total");
  query.set("limit", "1");
  query.set("fields", "id");
  const { data } = useQuery({
    queryKey: queryKeys.records(resource, `total: ${query.toString()}`),
    queryFn: ({ signal }) => getJson<{ total: number }>(`/${resource}?${query.toString()}`, signal),
  });
  return data?.total;
}
