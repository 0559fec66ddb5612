import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";

import { type ListView, readView, writeView } from "@/components/records/list/view/list-view";
import { useTimeZone } from "@/components/settings/organization/organization-defaults";
import type { ResourceName } from "@/lib/records/schema/resources";

/**
 * The view in the page's address. A change adds an entry to the browser's history, so that Back undoes it, unless it
 * only `replaces` the last one, as each letter of a search does. The page is not loaded again.
 */
export function useListView(resource: ResourceName) {
  const pathname = usePathname();
  const search = useSearchParams();
  const timeZone = useTimeZone();
  const view = useMemo(() => readView(resource, new URLSearchParams(search), timeZone), [resource, search, timeZone]);
  const change = (changes: Partial<ListView>, { replaces = false } = {}) => {
    const query = writeView(resource, { ...view, ...changes });
    const address = query ? `${pathname}?${query}` : pathname;
    if (replaces) window.history.replaceState(null, "", address);
    else window.history.pushState(null, "", address);
  };
  return { view, change };
}
