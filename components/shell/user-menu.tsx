"use client";

import { type SignedInPerson, UserButton } from "@/components/shell/user-button";
import { useMenuOnDemand } from "@/components/ui/overlay/use-menu-on-demand";

const load = async () => (await import("@/components/shell/user-menu-dropdown")).UserMenuDropdown;

/** The menu of the person and the organization. What it shows is loaded when somebody reaches for it. */
export function UserMenu({ person }: { person: SignedInPerson }) {
  const { Menu, button } = useMenuOnDemand(load);
  return Menu ? <Menu person={person} /> : <UserButton person={person} {...button} />;
}
