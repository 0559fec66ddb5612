import { Spotlight } from "@mantine/spotlight";
import { useRouter } from "next/navigation";

import { leaveFor } from "@/components/ui/leave/leaving";
import type { PageLink } from "@/components/shell/pages";

export interface PaletteItem extends PageLink {
  description?: string;
}

interface PaletteGroupProps {
  label: string;
  items: readonly (PaletteItem & { id: string })[];
  /** The address of the selected item. */
  active: string | undefined;
}

/** Parts of the list of `command-palette.tsx`: what chooses among them is the field, so they are no buttons. */
const GROUP = { role: "group" } as const;
const OPTION = { role: "option" } as const;

/** The items of one kind in the command palette. */
export function PaletteGroup({ label, items, active }: PaletteGroupProps) {
  const router = useRouter();
  return (
    <Spotlight.ActionsGroup label={label} aria-label={label} {...GROUP}>
      {items.map(({ id, href, label: name, description, icon: Icon }) => (
        <Spotlight.Action
          key={href}
          // Spotlight keeps an `id` to itself, and the search field names the selected option by it.
          ref={(element: HTMLButtonElement | null) => element?.setAttribute("id", id)}
          label={name}
          {...(description !== undefined && { description })}
          leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
          {...OPTION}
          aria-selected={href === active}
          // The store sets it too, but on elements: records that arrive later would come without it.
          data-selected={href === active || undefined}
          onClick={() => leaveFor(href, () => router.push(href))}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}
