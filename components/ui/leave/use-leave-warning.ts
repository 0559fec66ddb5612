import { useEffect } from "react";

import { warnUntil } from "@/components/ui/leave/leaving";

/** Lets the browser ask before the page is closed or loaded anew while something is under way. */
export function useLeaveWarning(isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return;
    const underWay = new AbortController();
    warnUntil(underWay.signal);
    return () => underWay.abort();
  }, [isUnderWay]);
}
