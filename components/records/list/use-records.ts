import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { z } from "zod";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { withCursor } from "@/components/api/use-list";
import { FIRST_LIMIT, type ListView, narrowing } from "@/components/records/list/view/list-view";
import { apiQuery, type ListRow, recordPage, type RowPage, toRows } from "@/components/records/list/view/list-row";
import { MAX_LIMIT } from "@/lib/input/page";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The first page of one view, which has come with the page from the server. */
export interface FirstPage {
  query: string;
  page: RowPage;
}

/** More pages are not read again unless something has changed: each takes a request of its own. */
const MAX_REFRESHED = 5;

/** The records of a view, page after page. `data` holds the rows of all pages that are loaded. */
export function useRecords(resource: ResourceName, view: ListView, first: FirstPage | null) {
  const query = apiQuery(resource, view).toString();
  return useInfiniteQuery({
    queryKey: queryKeys.records(resource, `rows: ${query}`),
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const limit = pageParam === "" ? FIRST_LIMIT : MAX_LIMIT;
      const path = withCursor(`/${resource}?${query}&limit=${limit}`, pageParam);
      return toRows(resource, view, await getJson(path, recordPage, signal));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select: rowsOf,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnMount: ({ state: { data, isInvalidated } }) => isInvalidated || (data?.pages.length ?? 0) <= MAX_REFRESHED,
    ...(first?.query === query && { initialData: { pages: [first.page], pageParams: [""] } }),
  });
}

function rowsOf({ pages }: InfiniteData<RowPage>): ListRow[] {
  return pages.flatMap((page) => page.rows);
}

const counted = z.object({ total: z.number() });

/** How many records a view has in all; undefined until they are counted. */
export function useTotal(resource: ResourceName, view: ListView): number | undefined {
  const query = narrowing({ ...view, order: "desc" });
  query.set("include", "total");
  query.set("limit", "1");
  query.set("fields", "id");
  const { data } = useQuery({
    queryKey: queryKeys.records(resource, `total: ${query.toString()}`),
    queryFn: ({ signal }) => getJson(`/${resource}?${query.toString()}`, counted, signal),
  });
  return data?.total;
}
