import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { type SearchHit, type SearchAnswer, stillMatches } from "@/components/shell/palette/search-hit";
import { MAX_SEARCH } from "@/lib/input/limits";

/** Short enough to feel immediate, and long enough that a word typed at once is one request. */
const PAUSE_MS = 120;

/** One letter begins a word of nearly every record. */
const MIN_LETTERS = 2;

/** What the search for records has brought so far. */
export interface FoundRecords {
  hits: readonly SearchHit[];
  /** The hits are those of an earlier query, or none yet. */
  isSearching: boolean;
  error: unknown;
  retry: () => void;
}

/**
 * The records that match what is being typed. Until the answer for the present words is there, those of the last answer
 * stay that match them too, so that nothing flickers and nothing wrong can be chosen.
 */
export function useSearch(query: string): FoundRecords {
  const words = query.trim();
  const [settled] = useDebouncedValue(words, PAUSE_MS);
  const enabled = (settled.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_LETTERS;
  const { data, error, isError, isFetching, refetch } = useQuery({
    queryKey: queryKeys.search(settled),
    queryFn: ({ signal }) =>
      getJson<SearchAnswer>(`/search?q=${encodeURIComponent(settled.slice(0, MAX_SEARCH))}`, signal),
    enabled,
    placeholderData: keepPreviousData,
  });
  const hits = enabled && words !== "" && data ? data.data.filter((hit) => stillMatches(hit, words)) : [];
  return {
    hits,
    isSearching: enabled && (isFetching || settled !== words),
    error: enabled && isError ? error : null,
    retry: () => void refetch(),
  };
}
