import { useEffect, useOptimistic } from "react";

import classes from "@/components/shell/progress/navigation-progress.module.css";
import { watchNavigations } from "@/components/shell/progress/navigations";

/**
 * A thin bar on top of the window while the next page is made. Next calls within its own transition, so React takes the
 * value back once the page is there, wherever redirects have led and whatever came instead.
 */
export function NavigationProgress() {
  const [isUnderWay, setUnderWay] = useOptimistic(false);
  useEffect(() => watchNavigations(() => setUnderWay(true)), [setUnderWay]);
  return isUnderWay && <progress aria-label="Loading the page" aria-busy="true" className={classes.bar} />;
}
