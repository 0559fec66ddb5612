"use client";

import { type ComponentType, useState } from "react";

import { type SignedInPerson, UserButton } from "@/components/shell/user-button";
import { sayNotLoaded } from "@/components/ui/overlay/loading";

const load = async () => (await import("@/components/shell/user-menu-dropdown")).UserMenuDropdown;

/** The menu of the person and the organization. What it shows is loaded when somebody reaches for it. */
export function UserMenu({ person }: { person: SignedInPerson }) {
  const [Dropdown, setDropdown] = useState<ComponentType<{ person: SignedInPerson }> | null>(null);
  if (Dropdown) return <Dropdown person={person} />;
  // Once it is loaded, the menu takes the place of this button at once.
  const open = () => void load().then((loaded) => setDropdown(() => loaded), sayNotLoaded);
  return (
    <UserButton
      person={person}
      aria-expanded={false}
      onClick={open}
      onPointerEnter={() => void load().catch(() => undefined)}
    />
  );
}
