import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";

import classes from "@/components/shell/progress/navigation-progress.module.css";
import { addressOf, arriveAt, isNavigating, watchNavigations } from "@/components/shell/progress/navigations";

/** A thin bar on top of the window while the next page is made. */
export function NavigationProgress() {
  const address = addressOf(usePathname(), useSearchParams());
  const isUnderWay = useSyncExternalStore(watchNavigations, isNavigating, () => false);
  useEffect(() => arriveAt(address), [address]);
  return isUnderWay && <progress aria-label="Loading the page" aria-busy="true" className={classes.bar} />;
}
