"use client";

import { Button } from "@mantine/core";
import { IconLayoutKanban, IconList } from "@tabler/icons-react";
import { useSearchParams } from "next/navigation";
import { useEffect } from "react";

import { LinkButton } from "@/components/ui/text/links";

const VIEWS = [
  { view: "list", href: "/opportunities", label: "List", icon: <IconList size={16} aria-hidden /> },
  { view: "board", href: "/opportunities/board", label: "Board", icon: <IconLayoutKanban size={16} aria-hidden /> },
] as const;

/** What the list showed last. The board has no filters of its own, so it leads back to those of the list. */
let lastQuery = "";

/** Switches between the two views of the opportunities. */
export function ListOrBoard({ shown }: { shown: "list" | "board" }) {
  const query = useSearchParams().toString();
  useEffect(() => {
    if (shown === "list") lastQuery = query;
  }, [shown, query]);
  return (
    <Button.Group>
      {VIEWS.map(({ view, href, label, icon }) => (
        <LinkButton
          key={view}
          href={view === "list" && shown === "board" && lastQuery ? `${href}?${lastQuery}` : href}
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
