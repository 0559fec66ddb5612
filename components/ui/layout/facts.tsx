import type { ReactNode } from "react";

import classes from "@/components/ui/layout/facts.module.css";

interface FactsProps {
  /** Narrower columns, for short values. */
  isShort?: boolean;
  children: ReactNode;
}

/** Values with their labels, in columns where there is room. */
export function Facts({ isShort = false, children }: FactsProps) {
  return (
    <dl className={classes.list} data-short={isShort || undefined}>
      {children}
    </dl>
  );
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
