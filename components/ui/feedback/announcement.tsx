import type { ReactNode } from "react";

import classes from "@/components/ui/feedback/announcement.module.css";

/** Invisible text that screen readers announce politely whenever it changes. */
export function Announcement({ children }: { children: ReactNode }) {
  return <output className={classes.hidden}>{children}</output>;
}
