"use client";

import { cloneElement, type ComponentType, useState } from "react";

import type { ActionMenuProps } from "@/components/ui/overlay/action-menu-dropdown";
import { sayNotLoaded } from "@/components/ui/overlay/loading";

const load = async () => (await import("@/components/ui/overlay/action-menu-dropdown")).ActionMenuDropdown;

/** A button with a menu of actions, whose code is loaded when somebody reaches for the button. */
export function ActionMenu(props: ActionMenuProps) {
  const [Dropdown, setDropdown] = useState<ComponentType<ActionMenuProps> | null>(null);
  if (Dropdown) return <Dropdown {...props} />;
  return cloneElement(props.children, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    // Once it is loaded, the button with its menu takes the place of this one at once.
    onClick: () => void load().then((loaded) => setDropdown(() => loaded), sayNotLoaded),
    onPointerEnter: () => void load().catch(() => undefined),
  });
}
