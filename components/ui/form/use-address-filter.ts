import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";

interface FilterForm<Filter> {
  /** The filter without any choice. */
  none: Filter;
  /** Reads the parameters of the page's address, and leaves out what is no valid choice. */
  read: (search: URLSearchParams) => Filter;
  /** The query of the page's address; empty for `none`. */
  write: (filter: Filter) => string;
}

/**
 * The filter in the page's address. A change adds an entry to the browser's history, so that Back undoes it. The page
 * is not loaded again.
 */
export function useAddressFilter<Filter extends object>({ none, read, write }: FilterForm<Filter>) {
  const pathname = usePathname();
  const search = useSearchParams();
  const filter = useMemo(() => read(new URLSearchParams(search)), [search, read]);
  const show = (next: Filter) => {
    const query = write(next);
    window.history.pushState(null, "", query ? `${pathname}?${query}` : pathname);
  };
  return {
    filter,
    // Next tells of a new address later, in a transition. A second change before that builds on the first.
    change: (change: Partial<Filter>) => show({ ...read(new URLSearchParams(window.location.search)), ...change }),
    clear: () => show(none),
  };
}
