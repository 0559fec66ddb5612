import { Paper, type PaperProps } from "@mantine/core";
import { type ReactNode, useDeferredValue } from "react";

import { Announcement } from "@/components/ui/feedback/announcement";

export interface SkeletonProps {
  /** What screen readers announce: "Loading the account". */
  label: string;
}

/** What is around every placeholder of something that is loading. */
export function SkeletonPaper({ label, children, ...paper }: SkeletonProps & PaperProps & { children: ReactNode }) {
  // Screen readers tell what changes, not what is there from the start; and nothing within what is busy.
  const announced = useDeferredValue(label, "");
  return (
    <>
      <Announcement>{announced}</Announcement>
      <Paper withBorder {...paper} aria-busy="true">
        {children}
      </Paper>
    </>
  );
}
