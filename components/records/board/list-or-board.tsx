"use client";

import { Button } from "@mantine/core";
import { IconLayoutKanban, IconList } from "@tabler/icons-react";

import { LinkButton } from "@/components/ui/text/links";

const VIEWS = [
  { view: "list", href: "/opportunities", label: "List", icon: <IconList size={16} aria-hidden /> },
  { view: "board", href: "/opportunities/board", label: "Board", icon: <IconLayoutKanban size={16} aria-hidden /> },
] as const;

/** Switches between the two views of the opportunities. */
export function ListOrBoard({ shown }: { shown: "list" | "board" }) {
  return (
    <Button.Group>
      {VIEWS.map(({ view, href, label, icon }) => (
        <LinkButton
          key={view}
          href={href}
          variant={view === shown ? "light" : "default"}
          leftSection={icon}
          aria-current={view === shown ? "page" : undefined}
        >
          {label}
        </LinkButton>
      ))}
    </Button.Group>
  );
}
