import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";

import { type AuditFilter, pageQuery, readFilter } from "@/components/settings/audit-log/filter/filter";

const NOTHING: AuditFilter = { what: "", who: "", client: "", from: "", to: "" };

/**
 * The filter of the page's address. Changing it makes an entry of the browser's history, so that Back undoes it;
 * nothing is loaded anew.
 */
export function useFilter() {
  const pathname = usePathname();
  const search = useSearchParams();
  const filter = useMemo(() => readFilter(new URLSearchParams(search)), [search]);
  const show = (next: AuditFilter) => {
    const query = pageQuery(next);
    window.history.pushState(null, "", query ? `${pathname}?${query}` : pathname);
  };
  return {
    filter,
    change: (change: Partial<AuditFilter>) => show({ ...filter, ...change }),
    clear: () => show(NOTHING),
  };
}
