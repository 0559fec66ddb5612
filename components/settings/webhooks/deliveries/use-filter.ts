import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";

import { type DeliveryFilter, NO_FILTER, queryOf, readFilter } from "@/components/settings/webhooks/deliveries/filter";

/**
 * The filter of the page's address. Changing it makes an entry of the browser's history, so that Back undoes it;
 * nothing is loaded anew.
 */
export function useFilter() {
  const pathname = usePathname();
  const search = useSearchParams();
  const filter = useMemo(() => readFilter(new URLSearchParams(search)), [search]);
  const show = (next: DeliveryFilter) => {
    const query = queryOf(next);
    window.history.pushState(null, "", query ? `${pathname}?${query}` : pathname);
  };
  return {
    filter,
    change: (change: Partial<DeliveryFilter>) => show({ ...filter, ...change }),
    clear: () => show(NO_FILTER),
  };
}
