import { IconChevronRight } from "@tabler/icons-react";
import type { ReactNode } from "react";

import classes from "@/components/ui/layout/summary.module.css";

interface SummaryProps {
  /** The layout of the content beside the arrow. */
  className: string | undefined;
  arrowSize: number;
  children: ReactNode;
}

/** The `<summary>` of a `<details>`, with an arrow that turns. */
export function Summary({ className, arrowSize, children }: SummaryProps) {
  return (
    <summary className={`${classes.summary} ${className ?? ""}`}>
      <IconChevronRight size={arrowSize} stroke={1.8} aria-hidden className={classes.arrow} />
      {children}
    </summary>
  );
}
