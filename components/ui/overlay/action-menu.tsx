"use client";

import { cloneElement } from "react";

import type { ActionMenuProps } from "@/components/ui/overlay/action-menu-dropdown";
import { useMenuOnDemand } from "@/components/ui/overlay/use-menu-on-demand";

const load = async () => (await import("@/components/ui/overlay/action-menu-dropdown")).ActionMenuDropdown;

/** A button with a menu of actions, whose code is loaded when somebody reaches for the button. */
export function ActionMenu(props: ActionMenuProps) {
  const { Menu, button } = useMenuOnDemand(load);
  return Menu ? <Menu {...props} /> : cloneElement(props.children, button);
}
