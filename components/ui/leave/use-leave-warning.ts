import { useEffect } from "react";

import { warn } from "@/components/ui/leave/leaving";

/** Lets the browser ask before the page is closed or loaded anew while something is under way. */
export function useLeaveWarning(isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return;
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isUnderWay]);
}
