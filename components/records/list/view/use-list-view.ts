import { usePathname, useSearchParams } from "next/navigation";
import { startTransition, useMemo, useOptimistic } from "react";

import { leftOutOf } from "@/components/records/list/view/left-out";
import { type ListView, readView, writeView } from "@/components/records/list/view/list-view";
import { forgetNavigation } from "@/components/shell/progress/navigations";
import { useOrganizationTimeZone } from "@/components/ui/text/use-time-zone";
import type { ResourceName } from "@/lib/records/schema/resources";

/**
 * The view in the page's address. A change adds an entry to the browser's history, so that Back undoes it, unless it
 * only `replaces` the last one, as each letter of a search does. The page is not loaded again. `leftOut` is what the
 * address has beside the view.
 */
export function useListView(resource: ResourceName) {
  const pathname = usePathname();
  const search = useSearchParams();
  const timeZone = useOrganizationTimeZone();
  const { addressed, leftOut } = useMemo(() => {
    const query = new URLSearchParams(search);
    const read = readView(resource, query, timeZone);
    return { addressed: read, leftOut: leftOutOf(resource, query, read) };
  }, [resource, search, timeZone]);
  // Next reads the address later, in a transition. A second change before that must build on the first.
  const [view, setView] = useOptimistic(addressed);
  const change = (changes: Partial<ListView>, { replaces = false } = {}) => {
    const changed = { ...view, ...changes };
    const query = writeView(resource, changed);
    const address = query ? `${pathname}?${query}` : pathname;
    forgetNavigation();
    startTransition(() => {
      setView(changed);
      if (replaces) window.history.replaceState(null, "", address);
      else window.history.pushState(null, "", address);
    });
  };
  return { view, leftOut, change };
}
