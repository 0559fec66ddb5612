"use client";

import { Paper, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";

import classes from "@/components/ui/layout/disclosure.module.css";
import { Summary } from "@/components/ui/layout/summary";
import { usePrinting } from "@/components/ui/layout/use-printing";

interface DisclosureProps {
  title: ReactNode;
  /** What stands beside the title, in a quieter voice. */
  note?: ReactNode;
  children: ReactNode;
}

/**
 * A part that opens on demand, and for printing. Its content is made only then: there may be hundreds of rows in it.
 */
export function Disclosure({ title, note, children }: DisclosureProps) {
  const [isOpened, setOpened] = useState(false);
  const isOpen = usePrinting() || isOpened;
  return (
    <Paper withBorder className={classes.paper}>
      <details open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
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
