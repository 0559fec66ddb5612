import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { type SearchHit, type SearchAnswer, stillMatches } from "@/components/shell/palette/search-hit";
import { searchableWords } from "@/lib/records/schema/list-address";
import type { ResourceName } from "@/lib/records/schema/resources";

/** Short enough to feel immediate, and long enough that a word typed at once is one request. */
const PAUSE_MS = 120;

/** One letter begins a word of nearly every record. */
const MIN_LETTERS = 2;

/** What the search for records has brought so far. */
export interface FoundRecords {
  /** What is searched for: the beginning of a very long query, and empty for one without a letter. */
  words: string;
  /** There are letters, but too few to search for records. */
  isTooShort: boolean;
  hits: readonly SearchHit[];
  /** Kinds that have more records than those. */
  more: readonly ResourceName[];
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
  const words = searchableWords(query);
  const [settled] = useDebouncedValue(words, PAUSE_MS);
  const enabled = isLongEnough(settled);
  const { data, error, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKeys.search(settled),
    queryFn: ({ signal }) => getJson<SearchAnswer>(`/search?q=${encodeURIComponent(settled)}`, signal),
    enabled,
    placeholderData: keepPreviousData,
  });
  const isEarlier = isPlaceholderData || settled !== words;
  return {
    words,
    isTooShort: words !== "" && !isLongEnough(words),
    ...foundIn(enabled ? data : undefined, words, isEarlier),
    isSearching: isLongEnough(words) && (isFetching || isEarlier),
    error: enabled && isError ? error : null,
    retry: () => void refetch(),
  };
}

function isLongEnough(words: string): boolean {
  return (words.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_LETTERS;
}

/** What an answer has for the present words. What matches its own words the search knows better than the page. */
function foundIn(
  answer: SearchAnswer | undefined,
  words: string,
  isEarlier: boolean,
): Pick<FoundRecords, "hits" | "more"> {
  if (!answer || words === "") return { hits: [], more: [] };
  const hits = isEarlier ? answer.data.filter((hit) => stillMatches(hit, words)) : answer.data;
  return { hits, more: answer.more.filter((object) => hits.some((hit) => hit.object === object)) };
}
