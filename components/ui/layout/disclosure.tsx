"use client";

import { Paper, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";

import classes from "@/components/ui/layout/disclosure.module.css";
import { Summary } from "@/components/ui/layout/summary";
import { usePrinting } from "@/components/ui/layout/use-printing";

interface DisclosureProps {
  title: ReactNode;
  /** Dimmed, beside the title. */
  note?: ReactNode;
  children: ReactNode;
}

/**
 * A part that unfolds on demand and for printing. Its content is rendered only then, since it may have hundreds of
 * rows.
 */
export function Disclosure({ title, note, children }: DisclosureProps) {
  const [isOpened, setOpened] = useState(false);
  const isPrinting = usePrinting();
  const isOpen = isPrinting || isOpened;
  return (
    <Paper withBorder className={classes.paper}>
      <details open={isOpen} onToggle={({ currentTarget }) => isPrinting || setOpened(currentTarget.open)}>
        <Summary className={classes.summary} arrowSize={18}>
          <Title order={3} className={classes.title}>
            {title}
          </Title>
          <Text component="span" size="sm" c="dimmed" className={classes.note}>
            {note}
          </Text>
        </Summary>
        <div className={classes.content}>{isOpen && children}</div>
      </details>
    </Paper>
  );
}
