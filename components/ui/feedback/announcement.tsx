import type { ReactNode } from "react";

import classes from "@/components/ui/feedback/announcement.module.css";

/** Told politely by screen readers whenever it changes, and seen by nobody. */
export function Announcement({ children }: { children: ReactNode }) {
  return <output className={classes.hidden}>{children}</output>;
}
